//! Models: what a satisfiable set of formulas makes of any term.

use crate::raw;
use crate::read::read;
use crate::translate::Space;
use logic::{Substitution, Term, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// A satisfying assignment. It stays valid when its solver goes on, on the thread of its solver.
pub struct Model {
    pub(crate) space: Rc<Space>,
    pub(crate) raw: raw::Model,
    /// Variables that the formulas were written without.
    definitions: Option<RefCell<Substitution>>,
}

impl Model {
    pub(crate) fn new(space: Rc<Space>, raw: raw::Model) -> Model {
        Model { space, raw, definitions: None }
    }

    /// With variables that mean what they are replaced by. Meanings may mention others of them, but not in
    /// circles.
    pub fn with(self, definitions: Substitution) -> Model {
        Model { definitions: Some(RefCell::new(definitions)), ..self }
    }

    /// The value of a term; variables that the formulas do not constrain get some value, the same one for
    /// every term.
    ///
    /// Z3's models are wrong for arrays with few indices (below 2^14, say 8-bit ones) that are compared with
    /// constant arrays: check what matters.
    ///
    /// None where Z3's answer is no value of ours: a quantifier that it cannot decide, an array that is not
    /// constant but for finitely many places.
    pub fn eval(&self, term: Term) -> Option<Value> {
        let term = match &self.definitions {
            Some(definitions) => definitions.borrow_mut().apply_through(term),
            None => term,
        };
        let value = self.raw.eval(&self.space.translate(term)?)?;
        Value::of(read(&self.space, &value, Some(&self.raw))?)
    }

    pub fn eval_bool(&self, term: Term) -> Option<bool> {
        self.eval(term)?.as_bool()
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("Model")
    }
}
