//! A proof for all bounds: loops run from states that stand for all of their iterations (`unwind::widen`), of
//! which invariants are guessed (`unwind::guess`) and kept if they are inductive (`houdini`).
//!
//! To widen every loop is cheap. It forgets what a short loop makes of single elements: the scan of a line
//! that was read needs to know that the line has an end, wherever that is. So there is a second attempt, in
//! which loops that come to an end are unwound, inside of widened ones too. Which ones do not is found by
//! executing: the outermost of those that a few rounds are not enough for, then each that still makes more
//! than [`MOST_ROUNDS`]. Both attempts are made without invariants first, before the program is unwound far
//! ([`quick`]), and with invariants where unwinding has become expensive ([`inductive`]).

use crate::engine::WIDEN_AFTER;
use crate::exec::{Exec, Invariants, Limits};
use crate::formula::Formula;
use crate::houdini;
use crate::statistics::Statistics;
use crate::step::unwound;
use ::engine::{Bounds, Invariant, LoopName, Task, Unwound, Widened};
use base::Budget;
use encode::Regions;
use ir::{CallGraph, FuncId, LoopForest, LoopId, Program};
use sat::{Found, Refutation};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use unwind::guess::Guessing;
use unwind::prune::Pruning;
use unwind::question::Question;

/// What the attempts without invariants may take, all together.
const QUICK: Duration = Duration::from_millis(500);
const QUICK_STEPS: u64 = 5_000;
/// What the attempts with invariants take where there is a proof.
const PATIENCE: Duration = Duration::from_secs(8);
const STEPS: u64 = 60_000;
/// A loop that makes more is widened.
const MOST_ROUNDS: u32 = 260;
/// For so many steps, iterations that no input can avoid do not count.
const FREE: u64 = 20_000;

/// Tries to prove that no check fails in executions of any length, without knowing anything of them.
pub(crate) fn quick(task: &Task, program: &Program, statistics: &mut Statistics) -> Option<Unwound> {
    let budget = task.budget.part(2).within(QUICK).at_most(QUICK_STEPS);
    let mut widening = Widening { task, program, statistics, budget };
    widening.timed(|w| {
        let found = w.refuted(&all()).or_else(|| w.refuted(&w.endless()?))?;
        Some((found, Vec::new()))
    })
}

/// The same with invariants.
pub(crate) fn inductive(task: &Task, program: &Program, statistics: &mut Statistics) -> Option<Unwound> {
    task.progress.note("all bounds at once");
    let budget = task.budget.part(2).within(PATIENCE).at_most(STEPS);
    Widening { task, program, statistics, budget }.timed(|w| {
        let mut attempts: Vec<Attempt> = w.endless().into_iter().chain([all()]).map(Attempt::new).collect();
        Guessing::ALL.into_iter().find_map(|g| attempts.iter_mut().find_map(|a| w.guessed(a, g)))
    })
}

/// Every loop is widened.
fn all() -> Limits {
    let unwound = Limits::unwound(Bounds::new(WIDEN_AFTER), 0, Pruning::Nothing);
    Limits { widened: Widened::All, ..unwound }
}

struct Widening<'a> {
    task: &'a Task<'a>,
    program: &'a Program,
    statistics: &'a mut Statistics,
    budget: Budget,
}

type Loops = BTreeSet<(FuncId, LoopId)>;

/// Which loops are widened, and how many guesses that gave so far.
struct Attempt {
    limits: Limits,
    guesses: usize,
}

impl Attempt {
    fn new(limits: Limits) -> Attempt {
        Attempt { limits, guesses: 0 }
    }
}

impl Widening<'_> {
    fn timed(
        &mut self,
        attempt: impl FnOnce(&mut Self) -> Option<(Unwound, Vec<Invariant>)>,
    ) -> Option<Unwound> {
        let start = Instant::now();
        let found = attempt(self);
        self.statistics.widening += start.elapsed();
        found.map(|(unwound, invariants)| Unwound { invariants, ..unwound })
    }

    /// Executes the program, and hands the execution on if it came to its end.
    fn executed<T>(&self, limits: Limits, then: impl FnOnce(&Exec) -> Option<T>) -> Option<T> {
        let (regions, formula) = (Regions::default(), RefCell::new(Formula::new(&self.budget)));
        let mut exec = Exec::new(self.program, self.task.subject.entry, limits, &regions, &self.budget);
        exec.oracle = Some(&formula);
        exec.run(self.task.subject.entry).ok()?;
        then(&exec)
    }

    /// With guesses, unless there are no more of them than before.
    fn guessed(&mut self, attempt: &mut Attempt, guessing: Guessing) -> Option<(Unwound, Vec<Invariant>)> {
        let (guesses, invariants) = self.inductive(&attempt.limits, guessing)?;
        let tried = std::mem::replace(&mut attempt.guesses, guesses);
        if guesses <= tried || invariants.is_empty() {
            return None;
        }
        let given = Invariants::Given(invariants.as_slice().into());
        let known = Limits { invariants: given, ..attempt.limits.clone() };
        let found = self.refuted(&known).or_else(|| self.refuted(&self.fewer(&known)?))?;
        Some((found, invariants))
    }

    /// No check fails, and the invariants hold.
    fn refuted(&self, limits: &Limits) -> Option<Unwound> {
        self.executed(limits.clone(), |exec| {
            let question = Question::of(&exec.violations()).ok()?;
            match Refutation::find(&question.clauses, &self.budget) {
                Ok(Found::Refuted(refutation)) => Some(unwound(&exec.limits, &exec.pruned, refutation)),
                _ => None,
            }
        })
    }

    /// The guesses that are inductive, and how many guesses there were.
    fn inductive(&mut self, limits: &Limits, guessing: Guessing) -> Option<(usize, Vec<Invariant>)> {
        let limits = Limits { invariants: Invariants::Guessed(guessing), ..limits.clone() };
        let (guesses, found) = self.executed(limits, |exec| {
            let found = houdini::invariants(&exec.guesses, &self.budget).ok()??;
            Some((exec.guesses.list.len(), found))
        })?;
        self.statistics.guesses += guesses;
        self.statistics.invariants += found.len();
        Some((guesses, found))
    }

    /// Limits under which the loops that do not come to an end are widened and all others unwound; None if
    /// there are no others.
    fn endless(&self) -> Option<Limits> {
        let few = Limits::unwound(Bounds::new(WIDEN_AFTER), FREE, Pruning::Nothing);
        let open = self.executed(few, |exec| {
            let ended = exec.ended.iter().filter(|(when, ..)| !when.is_false());
            Some(ended.filter_map(|(_, function, id)| Some((*function, (*id)?))).collect::<Loops>())
        })?;
        let mut widened = outermost(self.program, &open);
        loop {
            let name = |(function, id): &(FuncId, LoopId)| LoopName {
                function: self.program.function(*function).name.to_string(),
                number: id.0 + 1,
            };
            let limits = Limits {
                widened: Widened::These(widened.iter().map(name).collect()),
                ..Limits::unwound(Bounds::new(MOST_ROUNDS), FREE, Pruning::Asked)
            };
            match self.ends(&limits) {
                End::All { unwound } => return unwound.then_some(limits),
                // Recursion is not widened.
                End::Beyond(function, id) if widened.insert((function, id?)) => {}
                End::Beyond(..) | End::Stopped => return None,
            }
        }
    }

    /// The same limits, but loops that come to an end where the invariants hold are unwound as well; None if
    /// there are no such loops.
    fn fewer(&self, limits: &Limits) -> Option<Limits> {
        let Widened::These(loops) = &limits.widened else { return None };
        let mut fewer = limits.clone();
        // A loop that is behind others is the likeliest to be bounded by what they leave.
        for name in loops.iter().rev() {
            let Widened::These(kept) = &fewer.widened else { return None };
            let kept = kept.iter().filter(|other| *other != name).cloned().collect();
            let without = Limits { widened: Widened::These(kept), ..fewer.clone() };
            if matches!(self.ends(&without), End::All { .. }) {
                fewer = without;
            }
        }
        (fewer != *limits).then_some(fewer)
    }

    /// Do the loops that are not widened come to an end within the limits?
    fn ends(&self, limits: &Limits) -> End {
        let (regions, formula) = (Regions::default(), RefCell::new(Formula::new(&self.budget)));
        let entry = self.task.subject.entry;
        let mut exec = Exec::new(self.program, entry, limits.clone(), &regions, &self.budget);
        exec.oracle = Some(&formula);
        exec.all_or_nothing = true;
        let ran = exec.run(entry);
        match exec.ended.last() {
            Some((_, function, id)) => End::Beyond(*function, *id),
            None if ran.is_ok() => End::All { unwound: exec.deepest > 0 },
            None => End::Stopped,
        }
    }
}

enum End {
    /// Everybody does; some loop was unwound.
    All {
        unwound: bool,
    },
    /// Not this loop of a function, or not its recursion.
    Beyond(FuncId, Option<LoopId>),
    Stopped,
}

/// Those that are inside of no other one, in the same function or by a call.
fn outermost(program: &Program, open: &Loops) -> Loops {
    let graph = CallGraph::of(program);
    let mut inside = Loops::new();
    for (function, id) in open {
        let Some(cfa) = program.function(*function).cfa() else { continue };
        let loops = LoopForest::of(cfa);
        let sites = graph.sites(*function).iter();
        let sites = sites.filter(|site| loops.contains(*id, cfa.edge(site.edge).from));
        let called: Vec<FuncId> = sites.flat_map(|site| site.targets.iter().copied()).collect();
        let called = graph.reachable(&called);
        let inner = open.iter().filter(|(other, inner)| {
            called.binary_search(other).is_ok()
                || (other == function && inner != id && loops.contains(*id, loops.get(*inner).header))
        });
        inside.extend(inner);
    }
    open.difference(&inside).copied().collect()
}
