//! What the names in conditions of a comparison stand for. Whoever has states of both versions says it;
//! whoever reads the user's words asks.

use crate::Layout;
use ir::Expr;
use logic::Term;

/// What the names of a condition stand for at the start or at the end.
pub trait Look {
    /// A parameter, a register global, or `result`.
    fn name(&self, side: usize, name: &str) -> Option<Term>;
    /// The memory that an address points into; without an address, the only one there is.
    fn memory(&self, side: usize, address: Option<&Expr>) -> Option<(Term, Layout)>;
    /// All memory that callers can see is equal.
    fn memories_equal(&self) -> Option<Term>;
}
