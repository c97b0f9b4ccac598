//! The data: predicates, clauses, systems, and what a solver answers.

use logic::{Sort, Substitution, Term, free_vars};
use std::collections::BTreeSet;

/// An index into [`System::preds`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PredId(pub u32);

/// An unknown predicate. Its formal parameters are variables, different from each other; a solution speaks
/// about them.
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

/// For all values of all variables: constraint and body imply the head. Without a head, they are
/// contradictory.
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

/// A refutation: a clause instance under concrete values, one child for each body atom. The root's clause has
/// no head.
#[derive(Clone, PartialEq, Debug)]
pub struct Derivation {
    /// An index into [`System::clauses`].
    pub clause: usize,
    /// Values (constant terms) of the clause's variables; those not listed do not matter. Also values of
    /// uninterpreted functions at constants, which count for the whole tree.
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

    /// Do parameters, atoms and constraints have the sorts they must have?
    pub fn check_form(&self) -> Result<(), String> {
        for pred in &self.preds {
            let distinct: BTreeSet<&Term> = pred.params.iter().collect();
            if !pred.params.iter().all(|p| p.is_var()) || distinct.len() < pred.params.len() {
                return Err(format!("the parameters of {} are not different variables", pred.name));
            }
        }
        for (number, clause) in self.clauses.iter().enumerate() {
            if clause.constraint.sort() != Sort::Bool {
                return Err(format!("the constraint of clause {number} is no formula"));
            }
            for atom in clause.body.iter().chain(&clause.head) {
                let Some(pred) = self.preds.get(atom.pred.0 as usize) else {
                    return Err(format!("clause {number} is about an unknown predicate"));
                };
                if !pred.params.iter().map(|p| p.sort()).eq(atom.args.iter().map(|a| a.sort())) {
                    return Err(format!("clause {number} gives {} other arguments than it has", pred.name));
                }
            }
        }
        Ok(())
    }

    pub fn pred_ids(&self) -> impl Iterator<Item = PredId> + use<> {
        (0..self.preds.len() as u32).map(PredId)
    }
}

impl Clause {
    /// The variables of the clause, all of them universally quantified.
    pub fn vars(&self) -> BTreeSet<Term> {
        let mut vars = free_vars(self.constraint);
        for atom in self.body.iter().chain(&self.head) {
            for &arg in &atom.args {
                if arg.is_var() {
                    vars.insert(arg);
                } else {
                    vars.extend(free_vars(arg));
                }
            }
        }
        vars
    }

    /// The constraint and the arguments of all atoms.
    pub fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let atoms = self.body.iter().chain(&self.head);
        [self.constraint].into_iter().chain(atoms.flat_map(|a| a.args.iter().copied()))
    }

    pub fn substitute(&self, by: &mut Substitution) -> Clause {
        Clause {
            body: self.body.iter().map(|a| a.substitute(by)).collect(),
            constraint: by.apply(self.constraint),
            head: self.head.as_ref().map(|a| a.substitute(by)),
            label: self.label.clone(),
        }
    }
}

impl Atom {
    pub fn substitute(&self, by: &mut Substitution) -> Atom {
        Atom { pred: self.pred, args: self.args.iter().map(|&t| by.apply(t)).collect() }
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
