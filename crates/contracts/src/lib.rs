//! Contracts of functions and invariants of loops, found by elimination.
//!
//! ```text
//! candidates: what the program itself asks (conditions of branches and checks), at every place where it can
//!             be asked; carried over calls
//! eliminate:  forwards, take away what need not hold, until the rest is inductive;
//!             a check may fail: give up at once, since less and less is known
//! needed:     backwards from the checks, keep what they need
//! knowledge:  keep the contracts; the next version starts from them, and only looks at the steps of
//!             functions that changed, and of those around them whose contracts have to change
//! ```
//!
//! This is Houdini (Flanagan, Leino: "Houdini, an Annotation Assistant for ESC/Java", FME 2001), over the
//! transitions of `encode::TransitionSystem`, with the interval analysis (`ranges`) as what holds anyway. Each
//! question is about one step between two cut points, whatever the size of the program: so the work grows
//! with the number of functions, where unwinding grows with the number of calls that can happen, and what a
//! change does not reach needs no question again. What is not a conjunction of conditions of the program is
//! not found; predicate abstraction finds more, and takes longer.
//!
//! Differences from Houdini: candidates come from the program instead of a grammar; a place is only
//! considered when it is reached; what no check needs is left out in the end.

mod candidates;
mod carry;
mod eliminate;
mod knowledge;
mod needed;
mod place;
mod prover;
mod step;

pub use place::Place;

use base::Stopped;
use candidates::Candidates;
use eliminate::Elimination;
use encode::{IntMode, TransitionSystem, Unsupported};
use engine::{
    Answer, Argument, Contract, Decision, Engine, Figure, Outcome, Proof, Task, UnknownReason, Verdict,
};
use ir::{FuncId, NodeId, Program};
use knowledge::{Inherited, Prints};
use needed::Needed;
use predicate::model::Model;
use prover::Prover;
use rustc_hash::FxHashSet;

/// The engine.
pub struct Contracts;

impl Engine for Contracts {
    fn name(&self) -> &'static str {
        "contracts"
    }

    fn verify(&self, task: &Task) -> Answer {
        let program = task.subject.view(task.settings.slice);
        let mut run = Run { task, figures: Figures::default(), decisions: Vec::new(), suspect: None };
        let verdict = match prove(program, &mut run) {
            Ok(Found::Contracts(mode, contracts, _)) => {
                let slice = task.subject.viewed(task.settings.slice);
                Verdict::Safe(Box::new(Proof { slice, argument: Argument::Contracts { mode, contracts } }))
            }
            Ok(Found::Nothing(what)) => unsupported(what),
            Err(Halt::Stopped(stopped)) => Verdict::Unknown(UnknownReason::Stopped(stopped)),
            Err(Halt::Unsupported(why)) => unsupported(why.to_string()),
        };
        Answer {
            figures: run.figures.list(),
            decisions: run.decisions,
            suspect: run.suspect,
            ..verdict.into()
        }
    }
}

fn unsupported(what: String) -> Verdict {
    Verdict::Unknown(UnknownReason::Unsupported { what, pos: None })
}

/// Why there is no answer.
#[derive(Debug)]
enum Halt {
    Stopped(Stopped),
    Unsupported(Unsupported),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Halt {
        Halt::Stopped(stopped)
    }
}

impl From<Unsupported> for Halt {
    fn from(unsupported: Unsupported) -> Halt {
        Halt::Unsupported(unsupported)
    }
}

/// How elimination ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reached {
    Fixpoint,
    /// A check behind this cut point may fail.
    Failure(FuncId, NodeId),
}

enum Found {
    /// And which functions return.
    Contracts(IntMode, Vec<Contract>, FxHashSet<FuncId>),
    Nothing(String),
}

struct Run<'t> {
    task: &'t Task<'t>,
    figures: Figures,
    decisions: Vec<Decision>,
    suspect: Option<FuncId>,
}

impl Run<'_> {
    /// What was reused.
    fn explain(&mut self, model: &Model, inherited: &Inherited) {
        let name = |f: &FuncId| model.system.program.function(*f).name.to_string();
        let mut same: Vec<String> = inherited.same.iter().map(name).collect();
        same.sort();
        let decision = |about: String, outcome: Outcome, reason: &str| {
            let reason = reason.to_owned();
            Decision { about, outcome, reason }
        };
        let kept = same.into_iter().map(|f| decision(f, Outcome::Reused, "its contract stands"));
        let changed =
            inherited.changed.iter().map(|f| match inherited.held.contains_key(&Place::Entry(*f)) {
                true => decision(name(f), Outcome::Rechecked, "changed, and checked against its contract"),
                false => decision(name(f), Outcome::New, "never seen"),
            });
        self.decisions.extend(kept.chain(changed));
    }
}

#[derive(Default)]
struct Figures {
    queries: u64,
    steps: u64,
    functions: u64,
}

impl Figures {
    fn list(&self) -> Vec<Figure> {
        let figure = |name: &'static str, value: u64| Figure { name, value: value as f64 };
        vec![
            figure("solver queries", self.queries),
            figure("steps", self.steps),
            figure("functions looked at", self.functions),
        ]
    }
}

fn prove(program: &Program, run: &mut Run) -> Result<Found, Halt> {
    let first = predicate::preferred_integers(program);
    let second = if first == IntMode::Wrap { IntMode::Bv } else { IntMode::Wrap };
    match attempt(program, run, first) {
        Err(Halt::Unsupported(_)) => attempt(program, run, second),
        end => end,
    }
}

fn attempt(program: &Program, run: &mut Run, mode: IntMode) -> Result<Found, Halt> {
    let task = run.task;
    task.progress.note(&format!("contracts ({mode})"));
    let system = TransitionSystem::new(program, task.subject.entry, mode)?;
    let ranges = ranges::analyse(&system.program, system.entry);
    let model = Model::new(system, Some(ranges));
    let prints = task.store.map(|_| Prints::of(&model.system));
    let inherited = prints.as_ref().and_then(|prints| knowledge::load(&model.system, prints, task));
    let mut found = None;
    if let Some(inherited) = inherited {
        let contracts = solve(&model, run, &inherited)?;
        if matches!(contracts, Found::Contracts(..)) {
            run.explain(&model, &inherited);
            found = Some(contracts);
        }
    }
    let found = match found {
        Some(found) => found,
        None => {
            let changed = model.system.graph.reachable(&[model.system.entry]);
            solve(&model, run, &Inherited { changed, ..Inherited::default() })?
        }
    };
    if let (Found::Contracts(_, contracts, returning), Some(prints)) = (&found, &prints) {
        knowledge::save(&model.system, prints, task, contracts, returning);
    }
    Ok(found)
}

/// Contracts of all functions, from what is known of an earlier version.
fn solve(model: &Model, run: &mut Run, inherited: &Inherited) -> Result<Found, Halt> {
    let mode = model.system.mode;
    let candidates = Candidates::of(model, &inherited.changed, inherited)?;
    let mut prover =
        Prover::new(model.system.addresses, run.task.budget, run.task.settings.contracts.persistent);
    let mut elimination = Elimination::new(model, &mut prover, &candidates, inherited.held.clone());
    let end = elimination.run(&inherited.changed);
    let Elimination { held, touched, looked_at, .. } = elimination;
    run.figures.steps += looked_at;
    run.figures.functions += touched.len() as u64;
    let found = match end {
        Ok(Reached::Fixpoint) => {
            let asked: FxHashSet<Place> =
                inherited.held.keys().filter(|place| !matches!(place, Place::Cut(..))).copied().collect();
            let contracts = Needed::new(model, &mut prover, &held).contracts(&touched, &asked);
            let exits = held.keys().filter_map(|place| match place {
                Place::Exit(f) => Some(*f),
                Place::Entry(_) | Place::Cut(..) => None,
            });
            contracts.map(|found| match found {
                Some(contracts) => Found::Contracts(mode, contracts, exits.collect()),
                None => Found::Nothing("what holds cannot be shown by itself".to_owned()),
            })
        }
        Ok(Reached::Failure(f, _)) => {
            run.suspect = Some(f);
            let name = &model.system.program.function(f).name;
            Ok(Found::Nothing(format!("conditions of the program are no contracts: a check in '{name}'")))
        }
        Err(halt) => Err(halt),
    };
    run.figures.queries += prover.queries;
    found
}
