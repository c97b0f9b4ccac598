//! Unwound programs: the checker executes the program so far as the proof says, and the refutation shows that
//! nothing is left that could fail.
//!
//! Why that is enough. `unwind` follows all executions within the bounds. What it does not follow, whatever
//! the reason, is part of the formula, next to what fails: if the formula cannot be satisfied, every
//! execution was followed to its end, and none fails. That it cannot is shown by resolution
//! ([`sat::Refutation`]), which is checked here in time that is linear in its length.
//!
//! Without a refutation, or with one that is none, the checker asks a solver for another and checks that.

use super::Refused;
use super::obligation::Prover;
use crate::Flaw;
use encode::Regions;
use engine::{Unwound, Widened};
use ir::{FuncId, Program};
use sat::{Formula, Found, Refutation};
use unwind::exec::{Exec, Limits, Stop};
use unwind::question::Question;

/// How the claim was shown, in words.
pub fn check(
    program: &Program,
    entry: FuncId,
    unwound: &Unwound,
    prover: &mut Prover,
) -> Result<String, Refused> {
    let budget = prover.budget;
    let regions = Regions::default();
    let mut exec = Exec::new(program, entry, Limits::of(unwound), &regions, budget);
    exec.run(entry).map_err(|stop| match stop {
        Stop::Budget(stopped) => Flaw::Open(stopped.to_string()),
    })?;
    let formula =
        Question::of(&exec.violations()).map_err(|refused| Flaw::Open(refused.to_string()))?.clauses;
    let given = unwound.refutation.as_ref().is_some_and(|given| given.check(&formula, budget).is_ok());
    if !given {
        prover.queries += 1;
        find(&exec, &formula, prover)?;
    }
    let how = if unwound.widened != Widened::Nothing {
        "loops run from states that stand for all rounds"
    } else {
        "unwound"
    };
    Ok(format!("{how}, {} steps, {} clauses refuted", exec.steps, formula.len()))
}

fn find(exec: &Exec, formula: &Formula, prover: &mut Prover) -> Result<(), Refused> {
    let budget = prover.budget;
    match Refutation::find(formula, budget) {
        Ok(Found::Refuted(found)) => {
            found.check(formula, budget).map_err(|flaw| Flaw::Open(flaw.to_string()).into())
        }
        Ok(Found::Satisfied(_)) => {
            // It may only be that executions go further than claimed.
            let failure = Question::of(&exec.errors()).map_err(|refused| Flaw::Open(refused.to_string()))?;
            Err(match Refutation::find(&failure.clauses, budget) {
                Ok(Found::Satisfied(_)) => Flaw::Wrong("a check may fail".to_owned()),
                _ => Flaw::Open("executions may go further".to_owned()),
            }
            .into())
        }
        Err(failure) => Err(Flaw::Open(failure.to_string()).into()),
    }
}
