//! Lazy counterexample analysis (Algorithm 2 of the paper): what an abstract path to an error is worth.
//!
//! Holes are opened only while the path around them is feasible. A path without holes that the solver cannot
//! decide is asked again with the other kind of integers: the steps are the same, and what is hard for
//! numbers that wrap can be easy for bits.

use crate::clauses;
use crate::engine::{End, Run};
use crate::extrapolate::continued;
use crate::input_vector::{NEAR, input_vector};
use crate::model::{Fragment, Model};
use crate::path::Path;
use crate::predicates::Predicates;
use crate::reachability::{Found, Halt, ReachabilityGraph};
use crate::refine::{self, Analysis, Feasible};
use ::engine::{Counterexample, Holes, UnknownReason};
use base::{Budget, Work};
use encode::transition_system::To;
use encode::{IntMode, TransitionSystem};
use interp::{Interp, Options, Outcome};
use ir::{FuncId, Program};
use logic::Term;
use std::cell::OnceCell;
use std::time::Duration;

/// How long a path is looked at; one with holes is not worth more than looking into them.
const PATIENCE: Duration = Duration::from_secs(20);
const PATIENCE_AT_FIRST: Duration = Duration::from_secs(4);
const PATIENCE_OTHERWISE: Duration = Duration::from_secs(8);
const PATIENCE_WITH_HOLES: Duration = Duration::from_millis(100);

/// Of a run that is tried.
const MOST_STEPS: u64 = 10_000_000;
const MOST_MEMORY: u64 = 1 << 28;

/// All paths are looked at when single ones were refined so often, and then whenever that took twice as long
/// as all of this: at first for a moment, each time twice as long.
const WORTH_CLAUSES: u64 = 4;
const CLAUSES_AT_FIRST: Duration = Duration::from_secs(1);
/// At most this part of the time that is left.
const PART_FOR_CLAUSES: u32 = 4;
const MOST_FOR_CLAUSES: Duration = Duration::from_secs(20);

/// The attempts to look at all paths.
pub struct Clauses {
    since: Work,
    spent: Duration,
    next: Duration,
}

impl Clauses {
    pub fn new() -> Clauses {
        Clauses { since: Work::now(), spent: Duration::ZERO, next: CLAUSES_AT_FIRST }
    }

    fn are_worth_it(&self) -> bool {
        self.since.elapsed() >= 3 * self.spent
    }
}

/// The program with the other kind of integers, made when a path needs it.
pub struct AlternativeEncoding<'p> {
    program: &'p Program,
    entry: FuncId,
    mode: IntMode,
    model: OnceCell<Option<Model>>,
}

impl<'p> AlternativeEncoding<'p> {
    pub fn new(program: &'p Program, entry: FuncId, mode: IntMode) -> AlternativeEncoding<'p> {
        AlternativeEncoding { program, entry, mode, model: OnceCell::new() }
    }

    fn model(&self) -> Option<&Model> {
        let made = || {
            TransitionSystem::new(self.program, self.entry, self.mode)
                .ok()
                .map(|system| Model::new(system, None))
        };
        self.model.get_or_init(made).as_ref()
    }

    /// None if the path is another one there.
    fn analyse(
        &self,
        path: &Path,
        predicates: &mut Predicates,
        budget: &Budget,
    ) -> Result<Option<(&Model, Analysis)>, Halt> {
        let Some(model) = self.model() else { return Ok(None) };
        let Some(path) = path.within(model) else { return Ok(None) };
        Ok(Some((model, refine::analyse(model, predicates, &path, &mut None, PATIENCE_OTHERWISE, budget)?)))
    }
}

impl Run<'_> {
    /// Lazy counterexample analysis (Algorithm 2): what the path shows, or nothing if the precision was
    /// refined or holes were opened.
    pub fn counterexample(
        &mut self,
        reach: &mut ReachabilityGraph,
        found: &Found,
        alternative: &AlternativeEncoding,
    ) -> Result<Option<End>, Halt> {
        let budget = self.task.budget;
        let above = reach.holes_above(found);
        if !above.is_empty() {
            self.expand(reach, &above);
            return Ok(None);
        }
        let path = Path::to(reach, found)?;
        let holes = path.holes();
        self.figures.path_steps += path.len() as u64;
        if self.task.settings.predicate.holes == Holes::Eager && !holes.is_empty() {
            self.expand(reach, &holes);
            return Ok(None);
        }
        let first = if holes.is_empty() { PATIENCE_AT_FIRST } else { PATIENCE_WITH_HOLES };
        let mut search = None;
        let mut analyse = |reach: &mut ReachabilityGraph, patience: Duration| {
            refine::analyse(reach.model, &mut reach.predicates, &path, &mut search, patience, budget)
        };
        let analysis = match analyse(reach, first)? {
            Analysis::Open(_, tree) if holes.is_empty() => {
                match alternative.analyse(&path, &mut reach.predicates, budget)? {
                    Some((model, Analysis::Feasible(path))) => {
                        return Ok(Some(self.feasible(model, &path).unwrap_or_else(|end| end)));
                    }
                    Some((_, Analysis::Infeasible(_))) => Analysis::Infeasible(tree),
                    _ => analyse(reach, PATIENCE)?,
                }
            }
            analysis => analysis,
        };
        match analysis {
            // More and more at once: each time the path is looked at again.
            Analysis::Feasible(_) if !holes.is_empty() => {
                let some = holes.len().min(1 << self.expansions.min(8));
                self.expansions += 1;
                self.expand(reach, &holes[..some]);
                Ok(None)
            }
            // What is inside may make it easier.
            Analysis::Open(..) if !holes.is_empty() => {
                self.expand(reach, &holes);
                Ok(None)
            }
            Analysis::Feasible(feasible) => {
                let end = self.feasible(reach.model, &feasible);
                // Numbers of the other kind may lead elsewhere.
                if end.is_err()
                    && let Some((model, Analysis::Feasible(path))) =
                        alternative.analyse(&path, &mut reach.predicates, budget)?
                    && let Ok(end) = self.feasible(model, &path)
                {
                    return Ok(Some(end));
                }
                Ok(Some(end.unwrap_or_else(|end| end)))
            }
            Analysis::Open(why, _) => {
                let what = format!("a path that the solver cannot decide ({why})");
                Ok(Some(End::Unknown(UnknownReason::Unsupported { what, pos: None })))
            }
            Analysis::Infeasible(_) if reach.drop_candidates(&path) => Ok(None),
            Analysis::Infeasible(_) if !reach.post.pruning => {
                reach.post.pruning = true;
                Ok(None)
            }
            Analysis::Infeasible(tree) => {
                self.figures.refinements += 1;
                self.task.progress.note(&format!(
                    "refinement {}, {} predicates",
                    self.figures.refinements,
                    reach.predicates.len()
                ));
                if self.figures.refinements >= WORTH_CLAUSES
                    && self.clauses.are_worth_it()
                    && self.solve_clauses(reach)?
                {
                    return Ok(None);
                }
                for thorough in [false, true] {
                    for new in refine::predicates(reach.model, &tree, thorough, budget)? {
                        if add(reach, new) {
                            return Ok(None);
                        }
                    }
                }
                // Now there is nothing better to do with the time.
                self.clauses.next = MOST_FOR_CLAUSES;
                if self.solve_clauses(reach)? {
                    return Ok(None);
                }
                let what = "no new predicates rule out an infeasible path".to_owned();
                Ok(Some(End::Unknown(UnknownReason::Unsupported { what, pos: None })))
            }
        }
    }

    /// Predicates from all paths at once; false if there are none that are new.
    fn solve_clauses(&mut self, reach: &mut ReachabilityGraph) -> Result<bool, Halt> {
        let budget = self.task.budget;
        let start = Work::now();
        let limited = budget.part(PART_FOR_CLAUSES).within(self.clauses.next.min(MOST_FOR_CLAUSES));
        self.task.progress.note("solving Horn clauses");
        let new = clauses::predicates(reach.model, &limited)?;
        self.clauses.spent += start.elapsed();
        self.clauses.next = (2 * self.clauses.next).min(MOST_FOR_CLAUSES);
        budget.check(0)?;
        Ok(add(reach, new))
    }

    /// How a path ends that can be taken: with a run that fails, or else with one that does not, or with
    /// none.
    fn feasible(&self, model: &Model, path: &Feasible) -> Result<End, End> {
        if let Some(To::Trap(why)) = path.passages.last().map(|p| &p.to) {
            let what = format!("undefined behaviour: {why}");
            return Ok(End::Unknown(UnknownReason::Unsupported { what, pos: None }));
        }
        let run = |values: &smt::Model| input_vector(model, values, &path.passages).map(Box::new);
        let Some((values, first)) = path.found.as_ref().and_then(|values| Some((values, run(values)?)))
        else {
            return Err(End::Unknown(UnknownReason::NotConfirmed("a path without values".to_owned())));
        };
        if self.fails(&first) {
            return Ok(End::Unsafe(first));
        }
        // Objects have ends, of which models know nothing.
        let nearer = NEAR.iter().rev().filter_map(|bits| path.nearer(model, values, *bits, self.task.budget));
        match nearer.filter_map(|values| run(&values)).find(|found| self.fails(found)) {
            Some(found) => Ok(End::Unsafe(found)),
            None => Err(End::Unsafe(first)),
        }
    }

    /// Whoever asked runs it, too: this is to know whether to look for another one.
    fn fails(&self, found: &Counterexample) -> bool {
        let task = self.task;
        let options = Options {
            max_steps: MOST_STEPS,
            max_memory: MOST_MEMORY,
            heap: found.heap.clone(),
            ..Options::new(task.subject.entry)
        };
        let Ok(mut interp) = Interp::new(task.subject.program, options) else { return false };
        let run = interp.run(&mut found.inputs.clone(), task.budget);
        matches!(run.outcome, Outcome::CheckFailed { .. })
    }

    fn expand(&mut self, reach: &mut ReachabilityGraph, holes: &[usize]) {
        for &hole in holes {
            reach.inherited[hole].expanded = true;
            self.figures.holes_expanded += 1;
        }
    }
}

/// Adds predicates to precisions, and to those of loops what follows in a row; false if all were there.
fn add(reach: &mut ReachabilityGraph, new: Vec<(Fragment, Term)>) -> bool {
    let mut progress = false;
    for (fragment, predicate) in new {
        let Some(id) = reach.predicates.number(predicate) else { continue };
        if !reach.refine(fragment, id) {
            continue;
        }
        progress = true;
        let Fragment::Loop(..) = fragment else { continue };
        let row: Vec<Term> = reach.precision[&fragment].iter().map(|id| reach.predicates.term(*id)).collect();
        for next in continued(&row) {
            if let Some(id) = reach.predicates.number(next) {
                reach.refine(fragment, id);
            }
        }
    }
    progress
}
