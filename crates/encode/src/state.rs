//! Symbolic states of one activation.

use ir::{GlobalId, LocalId, Var};
use logic::Term;

/// What an execution knows and can change, as terms.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// By [`LocalId`]; None for memory variables, and for registers that are not set yet.
    pub locals: Vec<Option<Term>>,
    /// By [`GlobalId`]; None for memory variables.
    pub globals: Vec<Option<Term>>,
    /// By [`crate::RegionId`].
    pub memory: Vec<Term>,
    /// Sort Int: what functions without a body have seen and done so far. Observable.
    pub world: Term,
    /// Sort Int: how many objects were allocated, and how many inputs were read. Not observable by
    /// themselves.
    pub allocations: Term,
    pub inputs: Term,
}

impl State {
    /// For expressions that look at no state.
    pub fn empty() -> State {
        let zero = Term::int(0);
        State {
            locals: Vec::new(),
            globals: Vec::new(),
            memory: Vec::new(),
            world: zero,
            allocations: zero,
            inputs: zero,
        }
    }

    pub fn get(&self, var: Var) -> Option<Term> {
        match var {
            Var::Local(LocalId(i)) => self.locals.get(i as usize).copied().flatten(),
            Var::Global(GlobalId(i)) => self.globals.get(i as usize).copied().flatten(),
        }
    }

    pub fn set(&mut self, var: Var, value: Term) {
        let (list, i) = match var {
            Var::Local(LocalId(i)) => (&mut self.locals, i as usize),
            Var::Global(GlobalId(i)) => (&mut self.globals, i as usize),
        };
        if let Some(slot) = list.get_mut(i) {
            *slot = Some(value);
        }
    }

    /// The state that is `a` where `cond` holds and `b` elsewhere. A register set on one side only keeps that
    /// value: nobody reads it on the other.
    pub fn merge(cond: Term, a: &State, b: &State) -> State {
        let pick = |x: &Option<Term>, y: &Option<Term>| match (x, y) {
            (Some(x), Some(y)) => Some(cond.ite(*x, *y)),
            (x, y) => x.or(*y),
        };
        State {
            locals: a.locals.iter().zip(&b.locals).map(|(x, y)| pick(x, y)).collect(),
            globals: a.globals.iter().zip(b.globals.iter()).map(|(x, y)| pick(x, y)).collect(),
            memory: a.memory.iter().zip(&b.memory).map(|(x, y)| cond.ite(*x, *y)).collect(),
            world: cond.ite(a.world, b.world),
            allocations: cond.ite(a.allocations, b.allocations),
            inputs: cond.ite(a.inputs, b.inputs),
        }
    }
}
