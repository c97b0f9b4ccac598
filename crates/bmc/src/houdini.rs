//! Which of many guesses about loops are invariants, as Houdini finds out (Flanagan and Leino, 2001).
//!
//! `unwind::guess` has the guesses, each with a switch and with the conditions under which it is broken while
//! those that are switched on are assumed. One question asks whether any of them can be broken; all that a
//! model breaks are switched off, and the next question follows. What is left in the end is the strongest
//! conjunction of guesses that is inductive, whatever the models were.

use crate::formula::{Failure, Formula};
use base::Budget;
use engine::{Invariant, Operand, Relation};
use logic::Term;
use std::collections::BTreeMap;
use unwind::guess::{Guess, Guesses};

/// More questions are not asked.
const MOST_QUESTIONS: u32 = 500;

/// The guesses that hold; None if they were not found.
pub fn invariants(guesses: &Guesses, budget: &Budget) -> Result<Option<Vec<Invariant>>, Failure> {
    let mut formula = Formula::new(budget);
    let mut conditions = vec![Vec::new(); guesses.list.len()];
    for obligation in &guesses.obligations {
        conditions[obligation.guess].push(obligation.broken);
    }
    let mut left: Vec<(&Guess, Term)> = guesses
        .list
        .iter()
        .zip(conditions)
        .map(|(guess, broken)| (guess, Term::any(broken)))
        .filter(|(_, broken)| !broken.is_true())
        .collect();
    for _ in 0..MOST_QUESTIONS {
        let kept = Term::all(left.iter().map(|(guess, _)| guess.kept));
        let broken = Term::any(left.iter().map(|(_, broken)| *broken));
        if !formula.possible(kept.and(broken), budget)? {
            let found = left.iter().map(|(guess, _)| guess.invariant.clone()).collect();
            return Ok(Some(strongest(found)));
        }
        let terms: Vec<Term> = left.iter().map(|(_, broken)| *broken).collect();
        let mut values = formula.values(&terms)?.into_iter();
        left.retain(|_| values.next() != Some(1));
    }
    Ok(None)
}

/// Without bounds that follow from others of the same place.
fn strongest(found: Vec<Invariant>) -> Vec<Invariant> {
    let mut bounds: BTreeMap<Invariant, u64> = BTreeMap::new();
    let mut ahead: BTreeMap<Invariant, u64> = BTreeMap::new();
    let mut rest = Vec::new();
    for invariant in found {
        if let Relation::Ahead(number) = invariant.relation {
            let key = Invariant { relation: Relation::Ahead(0), ..invariant };
            let best = ahead.entry(key).or_insert(number);
            *best = (*best).min(number);
            continue;
        }
        let (Operand::Number(number), Relation::AtMost { signed } | Relation::AtLeast { signed }) =
            (&invariant.right, invariant.relation)
        else {
            rest.push(invariant);
            continue;
        };
        let most = matches!(invariant.relation, Relation::AtMost { .. });
        let number = *number;
        // Numbers are as wide as the place, which is not known here: these are positive in all widths.
        if signed && number >= 1 << 7 {
            rest.push(invariant);
            continue;
        }
        let key = Invariant { right: Operand::Number(0), ..invariant };
        let best = bounds.entry(key).or_insert(number);
        *best = if most { (*best).min(number) } else { (*best).max(number) };
    }
    let bounds = bounds.into_iter().map(|(key, number)| Invariant { right: Operand::Number(number), ..key });
    let ahead = ahead.into_iter().map(|(key, number)| Invariant { relation: Relation::Ahead(number), ..key });
    rest.extend(bounds.chain(ahead));
    rest
}
