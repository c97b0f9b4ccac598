//! The loop: explore, analyse the counterexample, refine (paper 000, Figures 4 and 5).

use crate::counterexample::{AlternativeEncoding, Clauses};
use crate::knowledge::{self, Equivalent, Version};
use crate::model::{Fragment, Model};
use crate::post::Post;
use crate::reachability::{Halt, ReachabilityGraph};
use crate::successor_cache::SuccessorCache;
use ::engine::{Answer, Decision, Figure, Outcome, Proof, Task, UnknownReason, Verdict};
use encode::{IntMode, TransitionSystem};
use ir::{BinOp, ExprKind, Op, Program};
use std::time::{Duration, Instant};

pub fn verify(task: &Task) -> Answer {
    let mut run = Run {
        task,
        figures: Figures { equivalent: task.equivalent.len() as u64, ..Figures::default() },
        decisions: Vec::new(),
        expansions: 0,
        clauses: Clauses::new(),
    };
    let verdict = run.decide();
    Answer {
        verdict,
        undefined: None,
        decisions: run.decisions,
        bound: None,
        refuted: 0,
        figures: run.figures.list(),
        calls: Vec::new(),
        suspect: None,
    }
}

pub struct Run<'t> {
    pub task: &'t Task<'t>,
    pub figures: Figures,
    decisions: Vec<Decision>,
    /// How often holes were opened.
    pub expansions: u32,
    pub clauses: Clauses,
}

/// The statistics of the paper.
#[derive(Default)]
pub struct Figures {
    pub successors: u64,
    /// Steps that nothing is asked of.
    pub taken: u64,
    /// Not computed: an earlier run had.
    pub known_before: u64,
    pub queries: u64,
    pub refinements: u64,
    pub predicates: u64,
    pub instances: u64,
    pub holes_expanded: u64,
    pub path_steps: u64,
    pub summaries: u64,
    pub summaries_reused: u64,
    /// Changed functions whose summaries still hold.
    pub rechecked: u64,
    /// Changed functions that do what they did.
    pub equivalent: u64,
    pub bytes_stored: u64,
    /// Slicing, and reading what there is; exploring; counterexample analysis and interpolation.
    pub preparing: Duration,
    pub exploring: Duration,
    pub refining: Duration,
}

impl Figures {
    fn list(&self) -> Vec<Figure> {
        let figure = |name: &'static str, value: u64| Figure { name, value: value as f64 };
        let time = |name: &'static str, value: Duration| Figure { name, value: value.as_secs_f64() };
        vec![
            figure("abstract successors", self.successors),
            figure("successors known before", self.known_before),
            figure("steps taken as they are", self.taken),
            figure("solver queries", self.queries),
            figure("refinements", self.refinements),
            figure("predicates", self.predicates),
            figure("instances", self.instances),
            figure("holes expanded", self.holes_expanded),
            figure("counterexample steps", self.path_steps),
            figure("summaries", self.summaries),
            figure("summaries reused", self.summaries_reused),
            figure("changed functions with valid summaries", self.rechecked),
            figure("functions proved equivalent", self.equivalent),
            figure("bytes stored", self.bytes_stored),
            time("preparing seconds", self.preparing),
            time("exploring seconds", self.exploring),
            time("refining seconds", self.refining),
        ]
    }
}

/// How an attempt with one kind of integers ended.
pub enum End {
    Safe(Box<Proof>),
    Unsafe(Box<::engine::Counterexample>),
    Unknown(UnknownReason),
}

impl Run<'_> {
    fn decide(&mut self) -> Verdict {
        let task = self.task;
        let start = Instant::now();
        let program = task.subject.view(task.settings.slice);
        self.figures.preparing += start.elapsed();
        let first = preferred_integers(program);
        let second = if first == IntMode::Wrap { IntMode::Bv } else { IntMode::Wrap };
        let mut reason = None;
        for mode in [first, second] {
            task.progress.note(&format!("predicate abstraction ({mode})"));
            match self.attempt(program, mode) {
                End::Safe(proof) => return Verdict::Safe(proof),
                End::Unsafe(found) => return Verdict::Unsafe(found),
                End::Unknown(why) => {
                    let other = matches!(why, UnknownReason::Unsupported { .. });
                    reason.get_or_insert(why);
                    if !other {
                        break;
                    }
                }
            }
        }
        let reason = reason.unwrap_or(UnknownReason::NotConfirmed("nothing was tried".to_owned()));
        Verdict::Unknown(reason)
    }

    fn attempt(&mut self, program: &Program, mode: IntMode) -> End {
        let task = self.task;
        let start = Instant::now();
        let unsupported = |what: String| End::Unknown(UnknownReason::Unsupported { what, pos: None });
        let system = match TransitionSystem::new(program, task.subject.entry, mode) {
            Ok(system) => system,
            Err(why) => return unsupported(why.to_string()),
        };
        let ranges = ranges::analyse(&system.program, system.entry);
        let model = Model::new(system, Some(ranges));
        let mut post = Post::new(model.system.addresses, task.budget);
        if let Some(store) = task.store.filter(|_| task.settings.reuse.recheck) {
            let entry = &program.function(task.subject.entry).name;
            let about = format!("{mode} {} {entry}", program.target.name);
            post.successor_cache = Some(SuccessorCache::load(store, task.label, &about));
        }
        let mut reach = ReachabilityGraph::new(&model, post);
        let version = task.store.map(|store| (store, Version::new(&model)));
        let base = knowledge::base(task, mode);
        if let Some((store, version)) = &version {
            self.inherit(version, store, base.as_ref(), &mut reach);
        }
        self.figures.preparing += start.elapsed();
        let other = if mode == IntMode::Wrap { IntMode::Bv } else { IntMode::Wrap };
        let end = self.search(&mut reach, &AlternativeEncoding::new(program, task.subject.entry, other));
        if let Some((store, version)) = &version {
            let (bytes, summaries) = knowledge::save(version, store, task.label, &mut reach);
            self.figures.bytes_stored += bytes;
            self.rechecked(&reach);
            self.figures.summaries_reused = reach.inherited.iter().filter(|s| s.used).count() as u64;
            // Those that were reused count, whether or not the run got as far as to keep them.
            self.figures.summaries = summaries.max(self.figures.summaries_reused);
        }
        self.figures.successors += reach.post.computed;
        self.figures.known_before += reach.post.known_before;
        self.figures.taken += reach.post.taken;
        self.figures.queries += reach.post.queries;
        self.figures.predicates = reach.predicates.len() as u64;
        self.figures.instances = reach.instances.len() as u64;
        match end {
            Ok(end) => end,
            Err(Halt::Stopped(why)) => End::Unknown(UnknownReason::Stopped(why)),
            Err(Halt::Unsupported(why)) => unsupported(why.to_string()),
            Err(Halt::Found(_) | Halt::Refuted) => unsupported("an error was found twice".to_owned()),
        }
    }

    /// What the store has for the fragments of this version (Algorithm 1), with the decisions.
    fn inherit(
        &mut self,
        version: &Version,
        store: &store::Store,
        base: Option<&Model>,
        reach: &mut ReachabilityGraph,
    ) {
        let reuse = &self.task.settings.reuse;
        if !(reuse.precision || reuse.procedures || reuse.loops) {
            return;
        }
        let functions = self.task.equivalent;
        let equivalent = base.map(|base| Equivalent { before: Version::new(base), functions });
        let found = knowledge::load(version, store, self.task.label, reuse, equivalent.as_ref(), reach);
        let system = &reach.model.system;
        let about = |fragment: Fragment| {
            let name = &system.program.function(fragment.function()).name;
            match fragment {
                Fragment::Function(_) => name.to_string(),
                Fragment::Loop(_, l) => format!("{name}, loop {}", l.0 + 1),
            }
        };
        for (fragment, summaries) in found.fragments {
            let outcome = if summaries > 0 { Outcome::Reused } else { Outcome::Rejected };
            let reason = match summaries {
                0 => "unchanged, but its summaries do not apply here".to_owned(),
                n => format!("unchanged: {n} summaries"),
            };
            self.decisions.push(Decision { about: about(fragment), outcome, reason });
        }
        for (fragment, summaries) in found.equivalent {
            let reason = format!("changed, but equivalent to what it was: {summaries} summaries");
            self.decisions.push(Decision { about: about(fragment), outcome: Outcome::Reused, reason });
        }
        for (fragment, summaries) in found.callers {
            let reason =
                format!("unchanged but for what it calls: {summaries} summaries, if that does what it did");
            self.decisions.push(Decision { about: about(fragment), outcome: Outcome::Reused, reason });
        }
        for fragment in found.missing {
            let reason = "changed, or never seen".to_owned();
            self.decisions.push(Decision { about: about(fragment), outcome: Outcome::New, reason });
        }
    }

    /// What became of the summaries of changed functions, and of those that call them.
    fn rechecked(&mut self, reach: &ReachabilityGraph) {
        let refuted = reach.inherited.iter().filter(|s| !s.assumed.is_empty() && s.expanded);
        for summary in refuted {
            let about = &*reach.model.system.program.function(summary.fragment.function()).name;
            if let Some(decision) = self.decisions.iter_mut().find(|d| d.about == about) {
                decision.outcome = Outcome::Rejected;
                decision.reason =
                    "unchanged, but its summaries did not do: what it calls does something else now"
                        .to_owned();
            }
        }
        for (f, holds) in reach.rechecked() {
            let about = reach.model.system.program.function(f).name.to_string();
            let (outcome, reason) = match holds {
                true => (Outcome::Rechecked, "changed, but its summaries still hold"),
                false => (Outcome::New, "changed, and its summaries do not hold any more"),
            };
            let reason = reason.to_owned();
            match self.decisions.iter_mut().find(|d| d.about == about && d.outcome == Outcome::New) {
                Some(decision) => *decision = Decision { about, outcome, reason },
                None => self.decisions.push(Decision { about, outcome, reason }),
            }
            self.figures.rechecked += u64::from(holds);
        }
    }

    fn search(
        &mut self,
        reach: &mut ReachabilityGraph,
        alternative: &AlternativeEncoding,
    ) -> Result<End, Halt> {
        loop {
            let start = Instant::now();
            let explored = reach.explore();
            self.figures.exploring += start.elapsed();
            let found = match explored {
                Ok(()) => {
                    return Ok(End::Safe(Box::new(crate::proof::proof(reach, self.task)?)));
                }
                Err(Halt::Found(found)) => found,
                Err(other) => return Err(other),
            };
            let start = Instant::now();
            let end = self.counterexample(reach, &found, alternative);
            self.figures.refining += start.elapsed();
            if let Some(end) = end? {
                return Ok(end);
            }
        }
    }
}

/// The kind of integers to try first: bit-vectors where bits are used.
pub fn preferred_integers(program: &Program) -> IntMode {
    let mut bits = 0u32;
    for id in program.function_ids() {
        let Some(cfa) = program.function(id).cfa() else { continue };
        for edge in cfa.edges() {
            if matches!(edge.op, Op::Skip) {
                continue;
            }
            for e in edge.op.exprs() {
                e.walk(&mut |part| {
                    if let ExprKind::Binary(op, _, b) = &part.kind
                        && part.ty.is_int()
                    {
                        let constant = b.as_const().is_some();
                        bits += match op {
                            BinOp::And | BinOp::Or | BinOp::Xor if !constant => 2,
                            BinOp::Or | BinOp::Xor => 2,
                            BinOp::And => 1,
                            BinOp::Shl | BinOp::Shr if !constant => 2,
                            _ => 0,
                        };
                    }
                });
            }
        }
    }
    if bits > MANY_BITS { IntMode::Bv } else { IntMode::Wrap }
}

const MANY_BITS: u32 = 6;
