//! The data: predicates, clauses, systems, and what a solver answers.

use logic::{Substitution, Term};

/// An index into [`System::preds`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PredId(pub u32);

/// An unknown predicate. Its formal parameters are variables, different from each other; a solution speaks about them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pred {
    /// Unique in the system.
    pub name: String,
    pub params: Vec<Term>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    pub pred: PredId,
    /// Any terms of the parameters' sorts.
    pub args: Vec<Term>,
}

/// For all values of all variables: constraint and body imply the head. Without a head, they are contradictory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    pub body: Vec<Atom>,
    pub constraint: Term,
    pub head: Option<Atom>,
    /// What this clause says, for people.
    pub label: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    pub preds: Vec<Pred>,
    pub clauses: Vec<Clause>,
}

/// A formula for every predicate, over its formal parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    pub formulas: Vec<Term>,
}

/// A refutation: a clause instance under concrete values, one child for each body atom. The root's clause has no head.
#[derive(Clone, PartialEq, Debug)]
pub struct Derivation {
    /// An index into [`System::clauses`].
    pub clause: usize,
    /// Values (constant terms) of the clause's variables; those not listed do not matter.
    pub values: Vec<(Term, Term)>,
    pub children: Vec<Derivation>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    Timeout,
    /// The solver's language or patience ended here.
    GaveUp(String),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Solved(Solution),
    Refuted(Derivation),
    Unknown(Unknown),
}

impl System {
    pub fn pred(&self, id: PredId) -> &Pred {
        &self.preds[id.0 as usize]
    }

    pub fn add_pred(&mut self, name: impl Into<String>, params: Vec<Term>) -> PredId {
        self.preds.push(Pred { name: name.into(), params });
        PredId(self.preds.len() as u32 - 1)
    }

    pub fn pred_ids(&self) -> impl Iterator<Item = PredId> + use<> {
        (0..self.preds.len() as u32).map(PredId)
    }
}

impl Solution {
    /// The formula of an atom's predicate, on the atom's arguments.
    pub fn of(&self, system: &System, atom: &Atom) -> Term {
        let params = &system.pred(atom.pred).params;
        let mut arguments = Substitution::new(params.iter().copied().zip(atom.args.iter().copied()));
        arguments.apply(self.formulas[atom.pred.0 as usize])
    }
}
