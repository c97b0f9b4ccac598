//! Single expressions of a function as terms over its variables, for those who look for predicates.

use super::TransitionSystem;
use crate::expr::Encoder;
use crate::mode::Unsupported;
use crate::names::is_auxiliary;
use crate::state::State;
use ir::{Expr, FuncId, Op};
use logic::{Term, free_vars};

/// Reads expressions of one function.
pub struct Reader<'s> {
    encoder: Encoder<'s>,
    state: State,
}

impl TransitionSystem {
    pub fn reader(&self, function: FuncId) -> Result<Reader<'_>, Unsupported> {
        Ok(Reader { encoder: self.encoder(function), state: self.variables(function, "")? })
    }
}

impl Reader<'_> {
    /// What an expression is in a state of the function; none if that is not a matter of its variables alone.
    pub fn term(&mut self, e: &Expr) -> Option<Term> {
        let term = self.encoder.expr(e, &self.state).ok()?;
        (!free_vars(term).into_iter().any(is_auxiliary)).then_some(term)
    }

    /// The condition that an operation tests.
    pub fn condition(&mut self, op: &Op) -> Option<Term> {
        match op {
            Op::Assume { cond, .. } | Op::Check { cond, .. } => self.term(cond),
            _ => None,
        }
    }

    /// The variable that an operation gives a value.
    pub fn written(&self, op: &Op) -> Option<Term> {
        self.state.get(op.written()?)
    }
}
