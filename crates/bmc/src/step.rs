//! One bound: the program is executed up to it, and asked what it can do there. What the answer claims is run
//! before anybody hears of it.

use crate::beyond;
use crate::engine::{LONG_CONFLICTS, LONG_STEPS};
use crate::exec::{Exec, Limits, Stop, Why};
use crate::formula::{Failure, Formula};
use crate::input_vector;
use crate::statistics::Statistics;
use ::engine::{Counterexample, Task, UnknownReason, Unwound};
use base::Budget;
use encode::Regions;
use interp::{Interp, Options};
use ir::{FuncId, Program};
use logic::Term;
use sat::{Found, ProofFailure, Refutation};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unwind::prune::Oracle;
use unwind::question::Question;

/// What one bound gave.
pub(crate) enum Step {
    Safe(Unwound),
    Unsafe(Box<Counterexample>),
    /// An error that does not happen when it is run.
    Refuted(String),
    /// No error, as far as it goes; within the bounds, something was not followed for this reason.
    Deeper(Option<UnknownReason>),
    Unknown(UnknownReason),
}

/// For a run that does something undefined.
const FOR_WARNINGS: Duration = Duration::from_millis(500);

/// How much is spent on one bound. Limits in steps: the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Patience {
    /// Before a proof for all bounds was tried.
    Little,
    All,
}

impl Patience {
    /// So many steps, and those that were taken `before`.
    fn of(self, budget: &Budget, before: u64, steps: u64) -> Budget {
        let steps = match self {
            Patience::Little => before + steps,
            Patience::All => return budget.clone(),
        };
        budget.at_most(steps)
    }
}

pub(crate) fn step(
    task: &Task,
    patience: Patience,
    program: &Program,
    limits: Limits,
    formula: &RefCell<Formula>,
    statistics: &mut Statistics,
    undefined: &mut Option<Box<Counterexample>>,
) -> Step {
    let regions = Regions::default();
    let start = Instant::now();
    let before = formula.borrow().spent();
    let budget = patience.of(task.budget, before, 2 * LONG_STEPS);
    let mut exec = Exec::new(program, task.subject.entry, limits.clone(), &regions, &budget);
    exec.oracle = Some(formula);
    let ran = exec.run(task.subject.entry);
    exec.oracle = None;
    let formula = &mut *formula.borrow_mut();
    statistics.executing += start.elapsed();
    statistics.steps += exec.steps;
    statistics.calls = exec.calls.len();
    statistics.pruned = exec.pruned.len();
    statistics.rounds = exec.deepest;
    statistics.questions = formula.asked();
    if let Err(Stop::Budget(stopped)) = ran {
        return Step::Unknown(UnknownReason::Stopped(stopped));
    }
    let start = Instant::now();
    let budget = patience.of(task.budget, 0, LONG_CONFLICTS);
    let answer = ask(task, &budget, &exec, &limits, formula);
    if matches!(answer, Ok(Step::Safe(_) | Step::Deeper(_))) && undefined.is_none() {
        *undefined = find_undefined(task, &exec, formula);
    }
    statistics.solving += start.elapsed();
    statistics.conflicts = formula.conflicts();
    statistics.variables = formula.variables();
    match answer {
        Ok(step) => step,
        Err(Failure::Stopped(stopped)) => Step::Unknown(UnknownReason::Stopped(stopped)),
        Err(Failure::Refused(refused)) => {
            Step::Unknown(UnknownReason::Unsupported { what: refused.to_string(), pos: None })
        }
    }
}

/// What the unwound program can do. Where no execution goes further, all that can go wrong is one question,
/// whose answer is a proof or a run.
fn ask(
    task: &Task,
    budget: &Budget,
    exec: &Exec,
    limits: &Limits,
    formula: &mut Formula,
) -> Result<Step, Failure> {
    let bound = Term::any(exec.gaps.iter().filter(|g| g.why == Why::Bound).map(|g| g.guard));
    let ends = !formula.possible(bound, budget)?;
    let beyond = if ends { None } else { beyond::find(task, exec, limits, formula)? };
    let mut errors = exec.calls.first().map_or(&[][..], |call| &call.errors).to_vec();
    let mut doubt = None;
    if ends {
        let question = Question::of(&exec.violations())?;
        match Refutation::find(&question.clauses, budget) {
            Ok(Found::Refuted(refutation)) => {
                return proved_by(task, exec, limits, refutation, formula);
            }
            Ok(Found::Satisfied(model)) => {
                let mut answered = Formula::answered(question, model, budget);
                if let Some(step) = failing(task, exec, &mut answered, &mut errors, &mut doubt)? {
                    return Ok(step);
                }
            }
            Err(ProofFailure::Stopped(stopped)) => return Err(stopped.into()),
            // Too long a proof is no reason not to look for violations.
            Err(ProofFailure::TooLarge | ProofFailure::Refused(_)) => {}
        }
    }
    while formula.possible(Term::any(errors.iter().copied()), budget)? {
        let before = errors.len();
        if let Some(step) = failing(task, exec, formula, &mut errors, &mut doubt)? {
            return Ok(step);
        }
        if errors.len() == before {
            break;
        }
    }
    if let Some(step) = doubt {
        return Ok(step);
    }
    let open = not_followed(task, exec, formula)?;
    if !ends {
        return Ok(Step::Deeper(open.or(beyond.map(UnknownReason::Beyond))));
    }
    let no_proof = UnknownReason::NotCertified("the solver's proof is too large".to_owned());
    Ok(Step::Unknown(open.unwrap_or(no_proof)))
}

/// Nothing can go wrong, as the refutation shows.
pub(crate) fn proved_by(
    task: &Task,
    exec: &Exec,
    limits: &Limits,
    refutation: Refutation,
    formula: &mut Formula,
) -> Result<Step, Failure> {
    let vacuous = if task.settings.vacuous { None } else { all_undefined(task, exec, formula)? };
    Ok(match vacuous {
        Some(undefined) => Step::Unknown(undefined),
        None => Step::Safe(unwound(limits, &exec.pruned, refutation)),
    })
}

/// Runs what the last model says. A violation, if it is one; otherwise the errors of the model are crossed
/// out: another check may really fail.
pub(crate) fn failing(
    task: &Task,
    exec: &Exec,
    formula: &mut Formula,
    errors: &mut Vec<Term>,
    doubt: &mut Option<Step>,
) -> Result<Option<Step>, Failure> {
    let mut values = formula.values(errors)?;
    if !values.contains(&1) {
        return Ok(None);
    }
    let found = input_vector::input_vector(exec, formula, task.subject.program, task.subject.entry)?;
    match confirm(task.subject.program, task.subject.entry, &found, task.budget) {
        Ok(()) => return Ok(Some(Step::Unsafe(Box::new(found)))),
        Err(step) => doubt.get_or_insert(step),
    };
    let mut values = values.drain(..);
    errors.retain(|_| values.next() != Some(1));
    Ok(None)
}

pub(crate) fn unwound(limits: &Limits, pruned: &[u64], refutation: Refutation) -> Unwound {
    let Limits { bounds, free, widened, .. } = limits.clone();
    let (invariants, pruned) = (Vec::new(), pruned.into());
    Unwound { bounds, free, widened, invariants, pruned, refutation: Some(Arc::new(refutation)) }
}

/// Something that can happen within the bounds and was not followed.
fn not_followed(task: &Task, exec: &Exec, formula: &mut Formula) -> Result<Option<UnknownReason>, Failure> {
    let others: Vec<&crate::exec::Gap> =
        exec.open_gaps().filter(|g| !matches!(g.why, Why::Bound | Why::Pruned)).collect();
    if !formula.possible(Term::any(others.iter().map(|g| g.guard)), task.budget)? {
        return Ok(None);
    }
    let guards: Vec<Term> = others.iter().map(|g| g.guard).collect();
    let values = formula.values(&guards)?;
    let hit = others.iter().zip(values).find(|(_, value)| *value == 1).map(|(gap, _)| &gap.why);
    let (what, pos) = match hit {
        Some(Why::Unsupported(what, pos)) => (what.clone(), Some(*pos)),
        _ => ("calls nest too deeply".to_owned(), None),
    };
    Ok(Some(UnknownReason::Unsupported { what, pos }))
}

/// A program that does something undefined whatever its inputs are is not safe in any sense that helps.
fn all_undefined(task: &Task, exec: &Exec, formula: &mut Formula) -> Result<Option<UnknownReason>, Failure> {
    let places = exec.gaps.iter().filter_map(|gap| match &gap.why {
        Why::Undefined(what, pos) => Some((gap.guard, *what, *pos)),
        _ => None,
    });
    let places: Vec<(Term, &'static str, ir::Pos)> = places.collect();
    let Some((_, what, pos)) = places.first() else { return Ok(None) };
    let somewhere = Term::any(places.iter().map(|(guard, ..)| *guard));
    let defined = formula.possible(somewhere.not(), task.budget)?;
    let what = format!("{what}, in every execution");
    Ok((!defined).then_some(UnknownReason::Undefined { what, pos: Some(*pos) }))
}

/// A run that does something undefined, if there is one that is found soon: a warning, not a verdict.
pub(crate) fn find_undefined(task: &Task, exec: &Exec, formula: &mut Formula) -> Option<Box<Counterexample>> {
    let undefined = exec.gaps.iter().filter(|g| matches!(g.why, Why::Undefined(..))).map(|g| g.guard);
    let budget = task.budget.within(FOR_WARNINGS);
    if !formula.possible(Term::any(undefined), &budget).ok()? {
        return None;
    }
    let found = input_vector::input_vector(exec, formula, task.subject.program, task.subject.entry).ok()?;
    let run = run(task.subject.program, task.subject.entry, &found, &budget).ok()?;
    matches!(run.outcome, interp::Outcome::Undefined(_)).then(|| Box::new(found))
}

/// Runs a claimed violation; what it is otherwise.
fn confirm(program: &Program, entry: FuncId, found: &Counterexample, budget: &Budget) -> Result<(), Step> {
    let open = |why: String| Step::Unknown(UnknownReason::NotConfirmed(why));
    match run(program, entry, found, budget).map_err(open)?.outcome {
        interp::Outcome::CheckFailed { .. } => Ok(()),
        interp::Outcome::Returned(_) => Err(Step::Refuted("the run ends without a failed check".to_owned())),
        interp::Outcome::AssumeViolated { .. } => {
            Err(Step::Refuted("the run violates an assumption".to_owned()))
        }
        interp::Outcome::Undefined(what) => Err(Step::Refuted(format!("the run ends before: {}", what.kind))),
        interp::Outcome::Stopped(why) => Err(open(format!("the run did not come to an end: {why}"))),
        other @ (interp::Outcome::StackOverflow | interp::Outcome::OutOfMemory) => {
            Err(open(format!("the run ends differently: {other:?}")))
        }
        other => Err(Step::Refuted(format!("the run ends differently: {other:?}"))),
    }
}

fn run(
    program: &Program,
    entry: FuncId,
    found: &Counterexample,
    budget: &Budget,
) -> Result<interp::Run, String> {
    let mut options = Options::new(entry);
    options.heap.clone_from(&found.heap);
    options.record_inputs = false;
    options.max_steps = 100_000_000;
    let mut interp = Interp::new(program, options).map_err(|e| e.to_string())?;
    Ok(interp.run(&mut found.inputs.clone(), budget))
}
