//! Terms as SMT-LIB text.

use crate::term::{Op, Term};
use std::fmt;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.op() {
            Op::Var(name) => f.write_str(name),
            Op::Int(value) => write!(f, "{value}"),
            Op::Bv(bits) => write!(f, "(_ bv{bits} {})", self.width()),
            op if self.args().is_empty() => write!(f, "{op:?}"),
            op => {
                write!(f, "({op:?}")?;
                for a in self.args() {
                    write!(f, " {a}")?;
                }
                f.write_str(")")
            }
        }
    }
}
