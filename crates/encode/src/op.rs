//! Operations on a symbolic state.

use crate::expr::Encoder;
use crate::mode::Unsupported;
use crate::state::State;
use ir::Op;
use logic::Term;

/// What an operation did, besides changing the state.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Goes on where this holds (`true` for everything but assumes).
    On(Term),
    /// `Check`: fails where this holds, goes on elsewhere.
    Checked {
        fails: Term,
    },
    /// A call of a defined function (or through a pointer), left to the caller of the encoder: nothing was changed.
    Call,
    Return(Option<Term>),
    Halt(Option<Term>),
}

impl Encoder<'_> {
    pub fn op(&mut self, op: &Op, _state: &mut State) -> Result<Step, Unsupported> {
        Err(Unsupported(format!("{op:?}")))
    }
}
