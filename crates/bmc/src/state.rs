//! Symbolic states of an execution.

use crate::content::Content;
use crate::guard::Guard;
use crate::objects::ObjectId;
use ir::GlobalId;
use logic::Term;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an execution has done so far on one path, or on several that met. What is not mentioned is as it was when the call began.
#[derive(Clone, Default)]
pub struct State {
    pub guard: Guard,
    /// By local; None for memory variables and for registers without a value that anybody reads.
    pub locals: Vec<Option<Term>>,
    pub globals: BTreeMap<GlobalId, Term>,
    pub objects: BTreeMap<ObjectId, Rc<Content>>,
}
