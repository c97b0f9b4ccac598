//! All rounds at once: an attempt at unwinding the program to its end, before any bound.
//!
//! Where inputs are few, so are the rounds that they allow, and what asks for executions beyond a bound is in
//! vain at all bounds below. So the program is executed first without a bound that it is expected to reach,
//! pruned by what an oracle says (`feasible`). If a bound is left all the same, nothing is lost but that. If
//! not, one question decides the program. It may be a hard one, so it is asked with little patience first,
//! and resumed with more after each bound that had its chance to find a violation.

use crate::engine::free_steps;
use crate::exec::{Exec, Limits, Stop, Why};
use crate::formula::{Failure, Formula};
use crate::statistics::Statistics;
use crate::step::{Step, failing, find_undefined, proved_by};
use ::engine::{Bounds, Counterexample, Task};
use base::{Budget, Stopped};
use encode::Regions;
use ir::Program;
use sat::{Found, ProofFailure, Refutation, Search};
use std::cell::RefCell;
use std::time::Instant;
use unwind::prune::Pruning;
use unwind::question::Question;

/// Loops that may make more rounds are not unwound to their end at once.
const MOST_ROUNDS: u32 = 64;
/// Steps of the execution, and of the oracle: before a quick proof for all bounds was tried, and after that.
const STEPS: [u64; 2] = [4_000, 20_000];
/// Rounds that no input can avoid are free for as many steps as at this bound.
const FREE: u32 = 2;

/// What the solver may spend on the question: conflicts times clauses, since conflicts in large formulas take
/// longer.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Effort(u64);

impl Effort {
    pub const FIRST: Effort = Effort(300_000_000);
    /// Whatever it takes, and by a solver that simplifies first.
    pub const ALL: Effort = Effort(u64::MAX);

    /// After a bound was tried in vain.
    pub fn more(self) -> Effort {
        Effort(self.0.saturating_mul(4))
    }

    fn conflicts(self, clauses: usize) -> u64 {
        self.0 / clauses.max(1) as u64
    }
}

/// A program that was unwound to its end, and the question whether anything can go wrong in it.
pub(crate) struct Whole<'a> {
    exec: Exec<'a>,
    limits: Limits,
    question: Question,
    search: Search,
}

/// What an execution to the end may take: little, then more.
pub(crate) fn patience(budget: &Budget) -> [Budget; 2] {
    STEPS.map(|steps| budget.at_most(steps))
}

impl<'a> Whole<'a> {
    /// `None` where executions may go on after as many rounds; an error where to unwind them all takes too
    /// long.
    pub fn unwind(
        task: &'a Task,
        program: &'a Program,
        most: u32,
        (regions, budget): (&'a Regions, &'a Budget),
        formula: &'a RefCell<Formula>,
        statistics: &mut Statistics,
    ) -> Result<Option<Box<Whole<'a>>>, Stopped> {
        task.progress.note("all rounds");
        let start = Instant::now();
        let bounds = Bounds::new(MOST_ROUNDS.min(most));
        let limits = Limits::unwound(bounds, free_steps(FREE), Pruning::Asked);
        let mut exec = Exec::new(program, task.subject.entry, limits.clone(), regions, budget);
        exec.oracle = Some(formula);
        exec.all_or_nothing = true;
        let ran = exec.run(task.subject.entry);
        exec.oracle = None;
        statistics.executing += start.elapsed();
        statistics.questions = formula.borrow().asked();
        if exec.gaps.iter().any(|gap| gap.why == Why::Bound && !gap.guard.is_false()) {
            return Ok(None);
        }
        if let Err(Stop::Budget(stopped)) = ran {
            return Err(stopped);
        }
        statistics.steps += exec.steps;
        statistics.calls = exec.calls.len();
        statistics.pruned = exec.pruned.len();
        statistics.rounds = exec.deepest;
        let Ok(question) = Question::of(&exec.violations()) else { return Ok(None) };
        statistics.clauses_of_all_rounds = question.clauses.len();
        Ok(Some(Box::new(Whole { exec, limits, question, search: Search::default() })))
    }

    /// Goes on with the question, which may have to be resumed after that effort. No answer: the bounds have
    /// to find it out.
    pub fn decide(
        mut self: Box<Self>,
        task: &Task,
        effort: Effort,
        formula: &mut Formula,
        statistics: &mut Statistics,
        undefined: &mut Option<Box<Counterexample>>,
    ) -> Result<Option<Step>, Box<Self>> {
        let start = Instant::now();
        let conflicts = effort.conflicts(self.question.clauses.len());
        let conflicts = task.budget.steps.map_or(conflicts, |most| most.min(conflicts));
        let budget = task.budget.with_steps(Some(conflicts));
        if effort == Effort::ALL {
            self.search = Search::thorough();
        }
        let before = self.search.conflicts();
        let found = self.search.resume(&self.question.clauses, &budget);
        statistics.conflicts_of_all_rounds += self.search.conflicts() - before;
        let step = match found {
            Ok(Found::Refuted(refutation)) => {
                if undefined.is_none() {
                    *undefined = find_undefined(task, &self.exec, formula);
                }
                self.proved(task, refutation, formula)
            }
            Ok(Found::Satisfied(model)) => {
                let mut answered = Formula::answered(self.question, model, &budget);
                failing(task, &self.exec, &mut answered, &mut self.exec.errors(), &mut None)
            }
            Err(ProofFailure::Stopped(Stopped::Steps)) => {
                statistics.solving += start.elapsed();
                return Err(self);
            }
            Err(_) => Ok(None),
        };
        statistics.solving += start.elapsed();
        Ok(step.ok().flatten())
    }

    fn proved(
        &self,
        task: &Task,
        refutation: Refutation,
        formula: &mut Formula,
    ) -> Result<Option<Step>, Failure> {
        let mut step = proved_by(task, &self.exec, &self.limits, refutation, formula)?;
        if let Step::Safe(unwound) = &mut step {
            // The rounds that were made, free ones too, are a bound.
            unwound.bounds = Bounds::new(self.exec.deepest);
        }
        Ok(Some(step))
    }
}
