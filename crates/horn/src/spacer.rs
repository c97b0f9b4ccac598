//! Z3's Spacer as a member of the portfolio. Its answers are checked like all others.
//!
//! The queries of a system become rules for one more predicate without parameters. Uninterpreted functions,
//! which Spacer does not know, are taken out first (`functions`): then a solution still counts, and a
//! refutation has to be found again by unwinding.

use crate::check::{check_derivation, check_solution};
use crate::derive::{Unwound, unwind};
use crate::functions::{has_functions, without_functions};
use crate::system::{Answer, Atom, Clause, Derivation, Solution, System, Unknown};
use base::Budget;
use logic::Term;
use smt::fixedpoint::{Atom as SpacerAtom, Predicate, Refutation, Rule, SpacerQuery, SpacerResult};
use smt::{Settings, Why};

pub fn spacer(system: &System, budget: &Budget) -> Answer {
    match solve(system, budget) {
        Ok(answer) => answer,
        Err(reason) => Answer::Unknown(reason),
    }
}

fn solve(system: &System, budget: &Budget) -> Result<Answer, Unknown> {
    system.check_form().map_err(Unknown::GaveUp)?;
    budget.check(0).map_err(|_| Unknown::Timeout)?;
    let functions = has_functions(system);
    let plain = if functions { without_functions(system) } else { Some(system.clone()) };
    let plain = plain.ok_or_else(|| Unknown::GaveUp("functions under quantifiers".into()))?;
    match query(&plain).solve(&Settings::default().budget(budget)) {
        SpacerResult::Underivable(covers) => {
            let formulas: Option<Vec<Term>> = covers.into_iter().take(system.preds.len()).collect();
            let formulas =
                formulas.ok_or_else(|| Unknown::GaveUp("a solution that is no formula of ours".into()))?;
            let solution = Solution { formulas };
            check_solution(system, &solution, budget).map_err(|failure| {
                Unknown::GaveUp(format!("a solution that was not confirmed: {failure:?}"))
            })?;
            Ok(Answer::Solved(solution))
        }
        SpacerResult::Derivable(found) => {
            let followed = found.filter(|_| !functions).and_then(|steps| derivation(&steps));
            if let Some(derivation) = followed.filter(|d| check_derivation(system, d).is_ok()) {
                return Ok(Answer::Refuted(derivation));
            }
            // There is a derivation (of the system without functions, at least): it only has to be found.
            match unwind(system, DEEPEST, budget) {
                Unwound::Refuted(derivation) => Ok(Answer::Refuted(derivation)),
                Unwound::Stopped(reason) => Err(reason),
                _ => Err(Unknown::GaveUp("a refutation that was not confirmed".into())),
            }
        }
        SpacerResult::Unknown(Why::Incomplete(reason)) => Err(Unknown::GaveUp(reason)),
        SpacerResult::Unknown(_) => Err(Unknown::Timeout),
    }
}

const DEEPEST: u32 = 1_000;
/// A derivation repeats what it uses more than once; beyond this it is not written out.
const LARGEST: usize = 10_000;

/// Rules and clauses have the same numbers; the last predicate is the query.
fn query(system: &System) -> SpacerQuery {
    let mut predicates: Vec<Predicate> =
        system.preds.iter().map(|p| Predicate { name: p.name.clone(), formals: p.params.clone() }).collect();
    let goal = predicates.len();
    predicates.push(Predicate { name: "query".into(), formals: Vec::new() });
    let atom = |a: &Atom| SpacerAtom { predicate: a.pred.0 as usize, args: a.args.clone() };
    let rule = |clause: &Clause| Rule {
        body: clause.body.iter().map(atom).collect(),
        constraint: clause.constraint,
        head: clause.head.as_ref().map_or(SpacerAtom { predicate: goal, args: Vec::new() }, atom),
    };
    SpacerQuery { predicates, rules: system.clauses.iter().map(rule).collect(), query: goal }
}

fn derivation(refutation: &Refutation) -> Option<Derivation> {
    let mut room = LARGEST;
    tree(refutation, refutation.steps.len().checked_sub(1)?, &mut room)
}

fn tree(refutation: &Refutation, at: usize, room: &mut usize) -> Option<Derivation> {
    *room = room.checked_sub(1)?;
    let step = refutation.steps.get(at)?;
    // Premises come before what they derive.
    let below = |&p: &usize| if p < at { tree(refutation, p, room) } else { None };
    let children = step.premises.iter().map(below).collect::<Option<_>>()?;
    let values = step.values.iter().map(|(v, value)| (*v, value.to_term())).collect();
    Some(Derivation { clause: step.rule, values, children })
}
