//! Symbolic states of an execution.

use crate::content::Content;
use crate::guard::Guard;
use crate::objects::ObjectId;
use ir::{GlobalId, LocalId};
use logic::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What an execution has done so far on one path, or on several that met. What is not mentioned is as it was
/// when the call began.
#[derive(Clone, Default)]
pub struct State {
    pub guard: Guard,
    /// By local; None for memory variables and for registers without a value that anybody reads.
    pub locals: Vec<Option<Term>>,
    pub globals: BTreeMap<GlobalId, Term>,
    pub objects: BTreeMap<ObjectId, Rc<Content>>,
    /// What code outside of the program may know of, and when it does.
    pub escaped: BTreeMap<ObjectId, Term>,
}

impl State {
    /// Is everything that can still be read the same, the guard aside? What one of the two has not touched is
    /// not looked up.
    pub fn same(&self, other: &State, live: &BTreeSet<LocalId>) -> bool {
        let objects = |a: &State, b: &State| {
            a.objects.iter().all(|(id, content)| {
                b.objects.get(id).is_some_and(|other| Rc::ptr_eq(content, other) || content.equal(other))
            })
        };
        live.iter().all(|id| self.locals.get(id.0 as usize) == other.locals.get(id.0 as usize))
            && self.globals == other.globals
            && self.escaped == other.escaped
            && objects(self, other)
            && objects(other, self)
    }
}
