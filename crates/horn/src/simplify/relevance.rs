//! Clauses that no refutation can use: with a false constraint, about a predicate that nothing derives, or
//! about one that no query depends on.

use crate::system::{Clause, Derivation, Solution, System};
use logic::Term;

#[derive(Clone, Debug)]
pub struct Relevant {
    /// The old number of each clause that is left.
    kept: Vec<usize>,
    /// The formula of each predicate that has no clauses now.
    formulas: Vec<Option<Term>>,
}

/// None if everything is relevant.
pub(super) fn relevant(system: &System) -> Option<(System, Relevant)> {
    let possible: Vec<usize> =
        (0..system.clauses.len()).filter(|&c| !system.clauses[c].constraint.is_false()).collect();
    // What can be derived at all, ignoring constraints.
    let derivable = fixpoint(system, &possible, |clause, known| {
        if clause.body.iter().all(|a| known[a.pred.0 as usize]) {
            clause.head.iter().collect()
        } else {
            Vec::new()
        }
    });
    let grounded: Vec<usize> = possible
        .into_iter()
        .filter(|&c| system.clauses[c].body.iter().all(|a| derivable[a.pred.0 as usize]))
        .collect();
    // What queries depend on.
    let needed = fixpoint(system, &grounded, |clause, known| {
        let wanted = clause.head.as_ref().is_none_or(|a| known[a.pred.0 as usize]);
        if wanted { clause.body.iter().collect() } else { Vec::new() }
    });
    let kept: Vec<usize> = grounded
        .into_iter()
        .filter(|&c| system.clauses[c].head.as_ref().is_none_or(|a| needed[a.pred.0 as usize]))
        .collect();
    if kept.len() == system.clauses.len() {
        return None;
    }
    let formulas = (0..system.preds.len())
        .map(|p| match (derivable[p], needed[p]) {
            (true, true) => None,
            (derivable, _) => Some(Term::bool(derivable)),
        })
        .collect();
    let clauses = kept.iter().map(|&c| system.clauses[c].clone()).collect();
    Some((System { preds: system.preds.clone(), clauses }, Relevant { kept, formulas }))
}

/// The predicates of all atoms that `more` names, given those known so far, until it names no new ones.
fn fixpoint<'a>(
    system: &'a System,
    clauses: &[usize],
    more: impl Fn(&'a Clause, &[bool]) -> Vec<&'a crate::system::Atom>,
) -> Vec<bool> {
    let mut known = vec![false; system.preds.len()];
    loop {
        let mut changed = false;
        for &c in clauses {
            for atom in more(&system.clauses[c], &known) {
                changed |= !std::mem::replace(&mut known[atom.pred.0 as usize], true);
            }
        }
        if !changed {
            return known;
        }
    }
}

impl Relevant {
    pub(super) fn solution(&self, mut solution: Solution) -> Solution {
        for (formula, fixed) in solution.formulas.iter_mut().zip(&self.formulas) {
            if let Some(fixed) = fixed {
                *formula = *fixed;
            }
        }
        solution
    }

    pub(super) fn derivation(&self, derivation: Derivation) -> Option<Derivation> {
        Some(Derivation {
            clause: *self.kept.get(derivation.clause)?,
            values: derivation.values,
            children: derivation.children.into_iter().map(|d| self.derivation(d)).collect::<Option<_>>()?,
        })
    }
}
