//! Why a claim does not count.

use engine::{Assumption, Undefined};
use ir::{CheckKind, FuncId, Op, Program};
use std::fmt;

/// A claim that was run or checked, and was not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    pub why: String,
    /// It was seen to be wrong, which is a fault of whoever made it; otherwise it could not be checked within the limits.
    pub refuted: bool,
}

impl Doubt {
    pub fn refuted(why: impl Into<String>) -> Doubt {
        Doubt { why: why.into(), refuted: true }
    }

    pub fn open(why: impl Into<String>) -> Doubt {
        Doubt { why: why.into(), refuted: false }
    }
}

/// Does the encoding that the checker and `predicate` share say all that the checks of a program ask? Whether an access is valid it leaves
/// open: what it finds wrong there need not be.
pub(crate) fn is_expressed(program: &Program, entry: FuncId) -> bool {
    let memory = Assumption::Undefined(Undefined::Memory);
    let checked = |op: &Op| matches!(op, Op::Check { kind: CheckKind::Memory, .. });
    let mut edges = program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges());
    !engine::assumptions(program, entry).contains(&memory) && !edges.any(|edge| checked(&edge.op))
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.why)
    }
}
