//! Does the old version end wherever the new one does?
//!
//! A coupled proof is about pairs of runs that both end, and says nothing of a run of the old version that
//! goes on forever where the new one ends. But often the proof shows more. If both versions move at once at
//! every loop head of the old one, and one goes on in its loop exactly where the other does, then a run of
//! the old version that passes heads forever has a partner that does, too.

use crate::product::{Move, Unit};
use crate::side::Place;
use crate::verdict::{Proof, ProofKind};
use base::Budget;
use logic::Term;
use smt::{SatResult, Settings, one_shot};

/// Can it be seen in the proof that the loops of the old version end where those of the new one do? Its calls
/// of functions that are not looked into are taken to return, and its executions not to get stuck.
pub fn ends_with_new(proof: &Proof, budget: &Budget) -> bool {
    let ProofKind::Coupled(coupling) = &proof.kind else { return false };
    let locations = &coupling.product.locations;
    let Some(top) = locations.first().map(|located| located.location.unit) else { return false };
    matches!(top, Unit::Pair(..))
        && locations.iter().zip(&coupling.solution.formulas).all(|(located, known)| {
            // Calls with summaries of their own are recursive.
            let here = located.location;
            here.unit == top
                && match (here.old, here.new, located.step) {
                    (Some(Place::Node(_)), Some(Place::Node(_)), Some(Move::Both)) => match located.stays[..]
                    {
                        [old, new] => alike(*known, old, new, budget),
                        _ => false,
                    },
                    (Some(Place::Node(_)), ..) => false,
                    _ => true,
                }
        })
}

fn alike(known: Term, old: Term, new: Term, budget: &Budget) -> bool {
    if old == new {
        return true;
    }
    let differ = old.and(new.not()).or(new.and(old.not()));
    matches!(one_shot(&[known, differ], &Settings::default().budget(budget)).0, SatResult::Unsat)
}
