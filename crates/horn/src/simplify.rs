//! Smaller systems with the same answers.
//!
//! Each pass rewrites the system and leaves a step that undoes it on answers: a solution or a derivation of
//! the small system becomes one of the original. Predicates keep their numbers; one that was removed has no
//! clause any more. The passes: `relevance` (clauses that no derivation of a query can use), `inline`
//! (predicates with one definition and one use), `slice` (parameters that nothing depends on). None of them
//! is trusted: the answers that come back are checked like all others.

mod inline;
mod relevance;
mod slice;

use crate::check::{check_derivation, check_solution};
use crate::system::{Answer, Derivation, Solution, System, Unknown};
use crate::values::Functions;
use base::Budget;
use logic::Term;
use smt::Settings;
use smt::interpolate::{Tree, Way, interpolate_by};

pub use inline::Inlined;
pub use relevance::Relevant;
pub use slice::Sliced;

/// A system and the way back.
#[derive(Clone, Debug)]
pub struct Simplified {
    pub system: System,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Relevant(Relevant),
    Inlined(Inlined),
    Sliced(Sliced),
}

/// Given two contradictory formulas, one over their common variables that follows from the first and
/// contradicts the second.
pub type Interpolate<'a> = dyn FnMut(Term, Term) -> Option<Term> + 'a;

/// All passes, until none of them finds anything.
pub fn simplify(system: &System) -> Simplified {
    let mut result = Simplified { system: system.clone(), steps: Vec::new() };
    loop {
        let before = result.steps.len();
        if let Some((system, step)) = relevance::relevant(&result.system) {
            result.push(system, Step::Relevant(step));
        }
        while let Some((system, step)) = inline::inline_one(&result.system) {
            result.push(system, Step::Inlined(step));
        }
        if let Some((system, step)) = slice::slice(&result.system) {
            result.push(system, Step::Sliced(step));
        }
        if result.steps.len() == before {
            return result;
        }
    }
}

impl Simplified {
    /// An answer of the simplified system as one of the original system, checked.
    pub fn back(&self, original: &System, answer: Answer, budget: &Budget) -> Answer {
        let gave_up = |reason: String| Answer::Unknown(Unknown::GaveUp(reason));
        match answer {
            Answer::Solved(solution) => {
                let solution = self.solution(solution, &mut |below, above| between(below, above, budget));
                match check_solution(original, &solution, budget) {
                    Ok(()) => Answer::Solved(solution),
                    Err(failure) => gave_up(format!("a solution that was not confirmed: {failure:?}")),
                }
            }
            Answer::Refuted(derivation) => match self.derivation(derivation) {
                None => gave_up("a derivation that was not confirmed".into()),
                Some(derivation) => match check_derivation(original, &derivation) {
                    Ok(()) => Answer::Refuted(derivation),
                    Err(reason) => gave_up(format!("a derivation that was not confirmed: {reason}")),
                },
            },
            unknown => unknown,
        }
    }

    /// A solution of the original system from one of the simplified system. A predicate that was inlined gets
    /// a formula through `interpolate`; where that has none, the formula has quantifiers.
    pub fn solution(&self, solution: Solution, interpolate: &mut Interpolate) -> Solution {
        self.steps.iter().rev().fold(solution, |solution, step| match step {
            Step::Relevant(step) => step.solution(solution),
            Step::Inlined(step) => step.solution(solution, interpolate),
            Step::Sliced(_) => solution,
        })
    }

    /// A derivation in the original system; None if the given one is none of the simplified system.
    pub fn derivation(&self, derivation: Derivation) -> Option<Derivation> {
        let functions = Functions::of(&derivation).ok()?;
        self.steps.iter().rev().try_fold(derivation, |derivation, step| match step {
            Step::Relevant(step) => step.derivation(derivation),
            Step::Inlined(step) => step.derivation(derivation, &functions),
            Step::Sliced(step) => step.derivation(derivation, &functions),
        })
    }

    fn push(&mut self, system: System, step: Step) {
        self.system = system;
        self.steps.push(step);
    }
}

/// A formula over the common variables that follows from the first formula and contradicts the second.
fn between(below: Term, above: Term, budget: &Budget) -> Option<Term> {
    let tree = Tree::path(&[below, above]).ok()?;
    let settings = Settings::default().budget(budget);
    let (_, found) = interpolate_by(&tree, &[Way::Backward, Way::Forward, Way::Spacer], &settings).ok()?;
    found.first().copied()
}
