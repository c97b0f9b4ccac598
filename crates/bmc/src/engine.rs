//! The engine: from a task to an answer.

use crate::beyond;
use crate::exec::Limits;
use crate::formula::Formula;
use crate::knowledge::{Knowledge, Shape, Version};
use crate::statistics::Statistics;
use crate::step::{Patience, Step, step};
use crate::upgrade::{Checker, Story, Trouble, Upgrade};
use crate::whole::{self, Effort, Whole};
use crate::widening;
use ::engine::{
    Answer, Argument, Bounds, CallNode, CallState, Counterexample, Decision, Outcome, Proof, Summaries, Task,
    UnknownReason, Unwind, Unwound, Verdict, Widened,
};
use base::{Budget, Stopped, Work};
use encode::Regions;
use ir::Program;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Store;
use unwind::prune::Pruning;

/// Decides a task, with what the store has; leaves there what was learned.
pub fn verify(task: &Task) -> Answer {
    let start = Instant::now();
    let sliced = task.subject.view(task.settings.slice);
    let mut run = Run {
        task,
        sliced,
        statistics: Statistics::default(),
        undefined: None,
        story: Story::default(),
        calls: Vec::new(),
        failed: 0,
    };
    run.statistics.slicing += start.elapsed();
    let verdict = match task.store {
        Some(store) => run.with_store(store),
        None => run.scratch().0,
    };
    Answer {
        verdict,
        undefined: run.undefined,
        decisions: run.story.decisions,
        bound: run.statistics.bound,
        refuted: run.statistics.refuted,
        figures: run.statistics.list(),
        calls: run.calls,
        suspect: None,
    }
}

/// One verification.
struct Run<'a> {
    task: &'a Task<'a>,
    sliced: &'a Program,
    statistics: Statistics,
    /// A run that does something undefined.
    undefined: Option<Box<Counterexample>>,
    story: Story,
    calls: Vec<CallNode>,
    /// For how many versions in a row no summaries could be made.
    failed: u32,
}

impl<'a> Run<'a> {
    fn with_store(&mut self, store: &Store) -> Verdict {
        let task = self.task;
        let start = Instant::now();
        let version = Version::of(self.sliced, task.subject.entry, &task.settings.bmc.unwind);
        self.statistics.comparing += start.elapsed();
        if task.settings.reuse.verdicts
            && let Some(verdict) = self.reuse(store, &version)
        {
            return if task.settings.audit { self.audited(verdict) } else { verdict };
        }
        let start = Work::now();
        let (verdict, bounds) = self.scratch();
        let seconds = start.elapsed();
        // What holds up to fixed bounds is worth keeping too; what was cut short by the budget is not.
        let complete = match (&verdict, &task.settings.bmc.unwind) {
            (Verdict::Safe(_), _) => true,
            (Verdict::Unknown(reason), Unwind::Fixed(_)) if reason.safe_up_to().is_some() => false,
            _ => return verdict,
        };
        let worthwhile = task.settings.bmc.summaries == Summaries::Always || seconds >= WORTHWHILE;
        // After failures it is tried more and more seldom.
        let try_it = worthwhile && (self.failed == 0 || self.failed.is_power_of_two());
        let bound = bounds.as_ref().map_or(0, |bounds| bounds.every);
        if let Some(bounds) = bounds.filter(|_| try_it) {
            task.progress.note("summaries");
            let auto = matches!(task.settings.bmc.unwind, Unwind::Auto { .. });
            let free = if auto { u64::MAX } else { 0 };
            let limits = Limits { cut: true, ..Limits::unwound(bounds, free, Pruning::Nothing) };
            let pruned = shape(&verdict).is_some_and(|shape| !shape.pruned.is_empty());
            // They are for later versions: this one is not to take twice as long for them, nor to lose its verdict,
            // whose proof is still to be checked.
            let mut budget = task.budget.part(SUMMARIES).within(seconds + SOME_TIME);
            // Calls that are cut off from each other are unwound without pruning: where much was pruned, that
            // takes all memory there is.
            if pruned {
                let steps = PRUNED_AT_MOST * self.statistics.steps;
                budget = budget.at_most(steps);
            }
            let regions = Regions::default();
            let reason = match self.checker(limits, &regions, &budget).bootstrap(&version, complete) {
                Ok(Upgrade::Safe(mut knowledge)) if knowledge.complete == complete => {
                    knowledge.seconds = seconds.as_secs_f64();
                    knowledge.unwound = shape(&verdict);
                    self.tree(&knowledge, &[]);
                    self.keep(store, &version, &knowledge);
                    return verdict;
                }
                Err(Trouble::Stopped) => "no summaries: they take too long".to_owned(),
                Err(Trouble::Other(what)) => format!("no summaries: {what}"),
                Ok(_) => "no summaries: between calls too much is forgotten".to_owned(),
            };
            self.failed += 1;
            let about = task.label.to_owned();
            self.story.decisions.push(Decision { about, outcome: Outcome::New, reason });
        } else if self.failed > 0 {
            self.failed += 1;
        }
        let entry = &task.subject.program.function(task.subject.entry).name;
        let mut known = Knowledge::verdict(&version, entry, complete, bound);
        known.failed = self.failed;
        known.unwound = shape(&verdict);
        known.seconds = seconds.as_secs_f64();
        self.keep(store, &version, &known);
        verdict
    }

    /// Compares a reused verdict with the one from scratch, which is believed where they differ.
    fn audited(&mut self, reused: Verdict) -> Verdict {
        let (fresh, _) = self.scratch();
        let kind = |verdict: &Verdict| match verdict {
            Verdict::Safe(_) => Some("SAFE".to_owned()),
            Verdict::Unsafe(_) => Some("UNSAFE".to_owned()),
            Verdict::Unknown(reason) => reason.safe_up_to().map(|bound| format!("safe up to {bound}")),
        };
        match (kind(&reused), kind(&fresh)) {
            (Some(a), Some(b)) if a != b => {
                let about = self.task.label.to_owned();
                let reason = format!("audit: the reused verdict is {a}, from scratch it is {b}");
                self.story.decisions.push(Decision { about, outcome: Outcome::Rejected, reason });
                fresh
            }
            _ => reused,
        }
    }

    /// What an earlier verification left, if it decides this one.
    fn reuse(&mut self, store: &Store, version: &Version) -> Option<Verdict> {
        let task = self.task;
        let decide = |story: &mut Story, outcome, reason: &str| {
            let about = task.label.to_owned();
            story.decisions.push(Decision { about, outcome, reason: reason.to_owned() });
        };
        if let Some(known) = Knowledge::load(store, &version.key) {
            decide(&mut self.story, Outcome::Reused, "nothing changed that a check depends on");
            self.statistics.calls_reused = Some(known.calls.len());
            self.tree(&known, &[]);
            return Some(self.verdict(&known));
        }
        let old = match task.base {
            Some(base) => {
                let start = Instant::now();
                let sliced = base.view(task.settings.slice);
                let key = Version::of(sliced, base.entry, &task.settings.bmc.unwind).key;
                self.statistics.comparing += start.elapsed();
                Knowledge::load(store, &key)
            }
            None => {
                let entry = &task.subject.program.function(task.subject.entry).name;
                Knowledge::latest(store, task.label, &task.settings.bmc.unwind, entry)
            }
        };
        let Some(old) = old else {
            decide(&mut self.story, Outcome::New, "the store has nothing about an earlier version");
            return None;
        };
        self.failed = old.failed;
        if !old.summarised {
            decide(
                &mut self.story,
                Outcome::New,
                "of the earlier version only the verdict was kept: from scratch",
            );
            return None;
        }
        task.progress.note("upgrade check");
        let regions = Regions::default();
        let bounds = match &task.settings.bmc.unwind {
            Unwind::Fixed(bounds) => bounds.clone(),
            Unwind::Auto { .. } => Bounds::new(old.bound),
        };
        let auto = matches!(task.settings.bmc.unwind, Unwind::Auto { .. });
        let free = if auto { u64::MAX } else { 0 };
        let limits = Limits { cut: true, ..Limits::unwound(bounds, free, Pruning::Nothing) };
        // When it takes longer than all of it took, starting over is as good.
        let cap = Duration::from_secs_f64((old.seconds * 0.8).clamp(0.1, 1e6));
        let budget = task.budget.within(cap);
        let mut story = std::mem::take(&mut self.story);
        let before = old.clone();
        let result = self.checker(limits, &regions, &budget).upgrade(old, version, &mut story);
        self.story = story;
        let states = std::mem::take(&mut self.story.states);
        match &result {
            Ok(Upgrade::Safe(new)) => {
                // The calls of the new version; those that the old one did not have are new.
                let known: FxHashMap<&str, CallState> =
                    before.calls.iter().map(|node| node.path.as_str()).zip(states.iter().copied()).collect();
                let state = |path: &str| known.get(path).copied().unwrap_or(CallState::New);
                let states: Vec<CallState> = new.calls.iter().map(|node| state(&node.path)).collect();
                self.tree(new, &states);
            }
            _ => self.tree(&before, &states),
        }
        let about = task.label.to_owned();
        let reason = match result {
            // Where the bound is ours to choose, one that no longer suffices decides nothing.
            Ok(Upgrade::Safe(knowledge)) if auto && !knowledge.complete => {
                "the bound no longer suffices: from scratch".to_owned()
            }
            Ok(Upgrade::Safe(knowledge)) if !auto || knowledge.complete => {
                let cheap = knowledge.seconds < WORTH_MORE;
                if !knowledge.complete
                    && cheap
                    && let (Verdict::Safe(proof), _) = self.scratch()
                {
                    // The change made the bounds suffice, which the check of an incomplete proof does not
                    // notice.
                    let known = Knowledge::verdict(version, task.subject.name(), true, knowledge.bound);
                    self.keep(store, version, &known);
                    return Some(Verdict::Safe(proof));
                }
                self.keep(store, version, &knowledge);
                return Some(self.verdict(&knowledge));
            }
            Ok(Upgrade::Safe(_)) => "the bounds do not suffice any more: from scratch".to_owned(),
            Ok(Upgrade::Open) => "the check failed up to the entry: from scratch".to_owned(),
            Err(Trouble::Stopped) => "the upgrade check took too long: from scratch".to_owned(),
            Err(Trouble::Other(what)) => format!("{what}: from scratch"),
        };
        self.story.decisions.push(Decision { about, outcome: Outcome::Rejected, reason });
        None
    }

    fn checker<'c>(&'c mut self, limits: Limits, regions: &'c Regions, budget: &'c Budget) -> Checker<'c> {
        Checker {
            program: self.sliced,
            entry: self.task.subject.entry,
            limits,
            settings: self.task.settings,
            budget,
            regions,
            statistics: &mut self.statistics,
        }
    }

    fn verdict(&self, known: &Knowledge) -> Verdict {
        match known.complete {
            true => Verdict::Safe(Box::new(self.unwinding(known))),
            false => Verdict::Unknown(UnknownReason::SafeUpTo(known.bound)),
        }
    }

    /// As deep as an earlier version went, or somewhat deeper; whoever checks it has to find out why that is
    /// enough.
    fn unwinding(&self, known: &Knowledge) -> Proof {
        let mut pruned = Arc::default();
        let (bounds, free) = match (&self.task.settings.bmc.unwind, &known.unwound) {
            (Unwind::Fixed(bounds), None) => (bounds.clone(), 0),
            (unwind, Some(shape)) => {
                pruned = shape.pruned.as_slice().into();
                let bounds = match unwind {
                    Unwind::Fixed(bounds) => bounds.clone(),
                    Unwind::Auto { .. } => Bounds::new(shape.bound),
                };
                (bounds, shape.free)
            }
            (Unwind::Auto { .. }, None) => {
                let bound = known.bound.saturating_mul(2);
                (Bounds::new(bound), free_steps(bound))
            }
        };
        let slice = self.task.subject.viewed(self.task.settings.slice);
        let (widened, invariants) = (Widened::Nothing, Vec::new());
        let unwound = Unwound { bounds, free, widened, invariants, pruned, refutation: None };
        Proof { slice, argument: Argument::Unwound(unwound) }
    }

    fn keep(&mut self, store: &Store, version: &Version, knowledge: &Knowledge) {
        let start = Instant::now();
        self.statistics.calls = knowledge.calls.len();
        match knowledge.save(store, version.key, self.task.label, &self.task.settings.bmc.unwind) {
            Ok(bytes) => self.statistics.bytes_stored = bytes as u64,
            Err(what) => self.story.decisions.push(Decision {
                about: self.task.label.to_owned(),
                outcome: Outcome::Rejected,
                reason: format!("nothing could be stored: {what}"),
            }),
        }
        self.statistics.storing += start.elapsed();
    }

    /// The calls, for people; `states` says what became of each.
    fn tree(&mut self, knowledge: &Knowledge, states: &[CallState]) {
        self.calls = knowledge
            .calls
            .iter()
            .enumerate()
            .map(|(i, node)| CallNode {
                parent: node.parent,
                function: self
                    .task
                    .subject
                    .program
                    .find_function(&node.function)
                    .unwrap_or(self.task.subject.entry),
                name: node.function.clone(),
                pos: Default::default(),
                state: states.get(i).copied().unwrap_or(CallState::Untouched),
            })
            .collect();
    }

    /// On the slice first; a violation of the slice that is none of the program is looked for again in all of
    /// it.
    fn scratch(&mut self) -> (Verdict, Option<Bounds>) {
        match self.deepen(self.sliced) {
            (Verdict::Unknown(UnknownReason::NotConfirmed(_)), _) if self.task.settings.slice => {
                self.deepen(self.task.subject.program)
            }
            decided => decided,
        }
    }

    /// Has unwinding cost so much that a proof for all bounds may be cheaper? `endless`: some loop goes on
    /// for many rounds.
    fn is_long(&self, bound: u32, endless: bool) -> bool {
        let Statistics { steps, conflicts, .. } = self.statistics;
        // To unwind further takes milliseconds at first, and finds what fails when a small object is full.
        let cheap = steps < CHEAP_STEPS && conflicts < CHEAP_CONFLICTS;
        let long = if endless && !cheap { ENDLESS_LOOP } else { LONG_LOOP };
        bound >= long || steps >= LONG_STEPS || conflicts >= LONG_CONFLICTS
    }

    fn safe(&self, program: &Program, unwound: Unwound) -> Verdict {
        let sliced = self.task.settings.slice && std::ptr::eq(program, self.sliced);
        let slice = self.task.subject.viewed(sliced);
        Verdict::Safe(Box::new(Proof { slice, argument: Argument::Unwound(unwound) }))
    }

    /// An answer about all rounds. If it takes more effort than that, `whole` can be asked again.
    fn all_rounds<'w>(
        &mut self,
        program: &Program,
        whole: &mut Option<Box<Whole<'w>>>,
        effort: Effort,
        formula: &RefCell<Formula>,
    ) -> Option<(Verdict, Option<Bounds>)> {
        let found = whole.take()?.decide(
            self.task,
            effort,
            &mut formula.borrow_mut(),
            &mut self.statistics,
            &mut self.undefined,
        );
        match found {
            Ok(Some(Step::Safe(unwound))) => {
                let bound = unwound.bounds.clone();
                self.statistics.bound = Some(bound.every);
                Some((self.safe(program, unwound), Some(bound)))
            }
            Ok(Some(Step::Unsafe(found))) => Some((Verdict::Unsafe(found), None)),
            Ok(_) => None,
            Err(open) => {
                *whole = Some(open);
                None
            }
        }
    }

    fn deepen(&mut self, program: &Program) -> (Verdict, Option<Bounds>) {
        let task = self.task;
        let formula = RefCell::new(Formula::new(task.budget));
        let (bounds, fixed): (Vec<Bounds>, bool) = match &task.settings.bmc.unwind {
            Unwind::Fixed(bounds) => (vec![bounds.clone()], true),
            Unwind::Auto { most } => {
                let most = most.unwrap_or(u32::MAX);
                let mut list: Vec<u32> = DEEPENING.iter().copied().take_while(|k| *k < most).collect();
                list.push(most.min(1 << 20));
                let wanted = task.settings.bmc.known_bound.saturating_add(1)
                    ..=task.settings.bmc.shallow.unwrap_or(u32::MAX);
                let part = list.iter().filter(|k| wanted.contains(k)).copied().collect::<Vec<_>>();
                let list = if part.is_empty() { list } else { part };
                (list.into_iter().map(Bounds::new).collect(), false)
            }
        };
        let mut so_far: Option<UnknownReason> = None;
        let mut reached = None;
        // Most loops are short. Those that are not show it by what they cost, and then a proof for all bounds
        // is tried, once.
        let mut untried = !fixed;
        let mut bounds = bounds.into_iter().peekable();
        let regions = Regions::default();
        let patience = whole::patience(task.budget);
        let (mut whole, mut endless) = (None, false);
        if let Unwind::Auto { most } = task.settings.bmc.unwind
            && task.settings.bmc.known_bound == 0
        {
            let most = most.unwrap_or(u32::MAX);
            for (i, budget) in patience.iter().enumerate() {
                let limits = (&regions, budget);
                let unwound = Whole::unwind(task, program, most, limits, &formula, &mut self.statistics);
                if i == 0
                    && !matches!(unwound, Ok(Some(_)))
                    && let Some(unwound) = widening::quick(task, program, &mut self.statistics)
                {
                    return (self.safe(program, unwound), None);
                }
                if let Ok(found) = unwound {
                    endless = found.is_none();
                    whole = found;
                    break;
                }
            }
        }
        let mut effort = Effort::FIRST;
        if let Some(answer) = self.all_rounds(program, &mut whole, effort, &formula) {
            return answer;
        }
        while let Some(bound) = bounds.peek().cloned() {
            task.progress.note(&format!("unwinding up to {}", bound.every));
            let free = if fixed { 0 } else { free_steps(bound.every) };
            let limits = Limits::unwound(bound.clone(), free, Pruning::Asked);
            let hurry = whole.is_some() || (untried && bound.every > WIDEN_AFTER);
            let patience = if hurry { Patience::Little } else { Patience::All };
            let result =
                step(task, patience, program, limits, &formula, &mut self.statistics, &mut self.undefined);
            match result {
                Step::Unknown(UnknownReason::Stopped(Stopped::Steps)) if patience == Patience::Little => {
                    if std::mem::take(&mut untried) {
                        effort = effort.more();
                        if let Some(answer) = self.all_rounds(program, &mut whole, effort, &formula) {
                            return answer;
                        }
                        if let Some(unwound) = widening::inductive(task, program, &mut self.statistics) {
                            return (self.safe(program, unwound), None);
                        }
                    }
                    if let Some(answer) = self.all_rounds(program, &mut whole, Effort::ALL, &formula) {
                        return answer;
                    }
                    whole = None;
                    continue;
                }
                Step::Safe(unwound) => {
                    return (self.safe(program, unwound), Some(bound));
                }
                Step::Unsafe(found) => return (Verdict::Unsafe(found), None),
                Step::Refuted(why) => {
                    // A slice may fail where the program does not; the program itself may not.
                    if !task.settings.slice || !std::ptr::eq(program, self.sliced) {
                        self.statistics.refuted += 1;
                    }
                    return (Verdict::Unknown(UnknownReason::NotConfirmed(why)), None);
                }
                Step::Deeper(open) => {
                    reached = Some(bound.clone());
                    let reason = beyond::kept(so_far, open.unwrap_or(UnknownReason::SafeUpTo(bound.every)));
                    task.progress.reached(&reason);
                    so_far = Some(reason);
                }
                Step::Unknown(UnknownReason::Stopped(_)) if so_far.is_some() => break,
                Step::Unknown(reason) => return (Verdict::Unknown(reason), None),
            }
            self.statistics.bound = Some(bound.every);
            bounds.next();

            if bound.every < WIDEN_AFTER {
                continue;
            }
            effort = effort.more();
            if let Some(answer) = self.all_rounds(program, &mut whole, effort, &formula) {
                return answer;
            }
            let last = bounds.peek().is_none();
            if untried && (last || whole.is_some() || self.is_long(bound.every, endless)) {
                untried = false;
                if let Some(unwound) = widening::inductive(task, program, &mut self.statistics) {
                    return (self.safe(program, unwound), None);
                }
            }
        }
        (Verdict::Unknown(so_far.unwrap_or(UnknownReason::SafeUpTo(0))), reached)
    }
}

/// Verifications that take less than this are repeated faster than summaries are made and checked.
const WORTHWHILE: Duration = Duration::from_millis(30);

/// Making summaries may take as long as the proof took, and this.
const SOME_TIME: Duration = Duration::from_millis(300);
/// Of the time that is left, one part in so many.
const SUMMARIES: u32 = 3;

/// How many times the steps of the proof, where rounds were pruned, their summaries may take.
const PRUNED_AT_MOST: u64 = 4;

/// Below so many seconds from scratch, `safe up to K` is asked again whether it has become `SAFE`.
const WORTH_MORE: f64 = 1.0;

/// Loops are widened after so many iterations, and not before they were unwound as far.
pub(crate) const WIDEN_AFTER: u32 = 2;

/// Unwinding that reached this bound, or took so many steps or conflicts, is long.
const LONG_LOOP: u32 = 20;
const ENDLESS_LOOP: u32 = 7;
const CHEAP_STEPS: u64 = 4_000;
const CHEAP_CONFLICTS: u64 = 3_000;
pub(crate) const LONG_STEPS: u64 = 10_000;
pub(crate) const LONG_CONFLICTS: u64 = 6_000;

/// How the program was unwound for this proof.
fn shape(verdict: &Verdict) -> Option<Shape> {
    let Verdict::Safe(proof) = verdict else { return None };
    match &proof.argument {
        Argument::Unwound(unwound) if unwound.widened == Widened::Nothing => {
            let (bound, free) = (unwound.bounds.every, unwound.free);
            Some(Shape { bound, free, pruned: unwound.pruned.to_vec() })
        }
        _ => None,
    }
}

/// For so many steps, iterations that no input can avoid are free: loops with constant bounds run to their
/// end, and where there is no end, or a far one, the question whether anything fails before is still asked.
/// It grows so fast that what a long loop takes below the bound that is enough for it is little.
pub(crate) fn free_steps(bound: u32) -> u64 {
    u64::from(bound).saturating_pow(4).saturating_mul(20_000)
}

pub(crate) const DEEPENING: [u32; 14] = [1, 2, 4, 7, 12, 20, 35, 60, 100, 200, 400, 1000, 5000, 50000];
