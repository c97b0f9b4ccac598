//! Why a claim does not count.

use ir::{ExprKind, Program};
use std::fmt;

/// A claim that was run or checked, and was not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    pub why: String,
    /// It was seen to be wrong, which is a fault of whoever made it; otherwise it could not be checked within
    /// the limits.
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

/// Does the encoding that the checker and `predicate` share say all that the checks of a program ask? Whether
/// an access is valid it leaves open: what it finds wrong there need not be.
pub(crate) fn is_expressed(program: &Program) -> bool {
    let mut open = false;
    for edge in program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges()) {
        for e in edge.op.exprs() {
            e.walk(&mut |part| {
                open |= matches!(
                    part.kind,
                    ExprKind::Valid { .. }
                        | ExprKind::Freeable(_)
                        | ExprKind::ObjectSize(_)
                        | ExprKind::HeapKept { .. }
                );
            });
        }
    }
    !open
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.why)
    }
}
