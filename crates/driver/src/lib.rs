//! From a question about a program to an answer that can be believed.
//!
//! The one idea: an engine only claims. [`verify`] runs one ([`engines`] lists them), and whatever it calls a violation is executed by
//! the interpreter before anybody hears of it ([`confirm`]); what does not fail a check there is `UNKNOWN (not confirmed)`. An engine
//! that panics gives no answer, and takes nothing with it.
//!
//! Around that: the property decides which checks of a program count ([`property`]), limits are watched from outside of the engines
//! ([`limits`]), a store that cannot be used is a warning ([`open_store`]), and a confirmed violation becomes a path through the source
//! with values ([`path`]), of which people are shown what led to the failure ([`slice`]).

pub mod confirm;
pub mod limits;
pub mod path;
pub mod property;
pub mod slice;
mod stores;

pub use confirm::Violation;
pub use stores::{Opened, open_store};

use base::{Budget, Stopped};
use engine::{CallNode, Decision, Engine, Figure, Progress, Settings, Task, UnknownReason};
use ir::{Body, FuncId, Program};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use store::Store;

/// All engines, one line each; the first is the default.
static ENGINES: [&(dyn Engine + Sync); 1] = [&bmc::Bmc];

pub fn engines() -> &'static [&'static (dyn Engine + Sync)] {
    &ENGINES
}

pub struct Request<'a> {
    pub program: &'a Program,
    pub base: Option<&'a Program>,
    pub entry: FuncId,
    /// What the user calls this program: later versions of it look for results under this name.
    pub label: &'a str,
    pub settings: &'a Settings,
    pub store: Option<&'a Store>,
    pub budget: &'a Budget,
    /// Says whether the budget was cancelled because of memory.
    pub limits: Option<&'a limits::Watch>,
    pub progress: &'a dyn Progress,
}

/// An answer in which every violation was seen to happen.
pub struct Outcome {
    pub verdict: Verdict,
    pub engine: &'static str,
    /// What the verdict rests on besides the program, one sentence each.
    pub assumptions: Vec<String>,
    pub decisions: Vec<Decision>,
    pub figures: Vec<Figure>,
    pub calls: Vec<CallNode>,
    pub time: Duration,
}

pub enum Verdict {
    Safe,
    Unsafe(Box<Violation>),
    Unknown(UnknownReason),
}

/// Asks the default engine.
pub fn verify(request: &Request) -> Outcome {
    verify_with(ENGINES[0], request)
}

pub fn verify_with(engine: &dyn Engine, request: &Request) -> Outcome {
    let start = Instant::now();
    let mut outcome = Outcome {
        verdict: Verdict::Unknown(UnknownReason::Stopped(Stopped::Cancelled)),
        engine: engine.name(),
        assumptions: Vec::new(),
        decisions: Vec::new(),
        figures: Vec::new(),
        calls: Vec::new(),
        time: Duration::ZERO,
    };
    outcome.verdict = match decide(engine, request, &mut outcome) {
        // The engine only knows that somebody told it to stop.
        Verdict::Unknown(UnknownReason::Stopped(Stopped::Cancelled))
            if request.limits.is_some_and(limits::Watch::memory_reached) =>
        {
            Verdict::Unknown(UnknownReason::Memory)
        }
        other => other,
    };
    outcome.time = start.elapsed();
    outcome
}

fn decide(engine: &dyn Engine, request: &Request, outcome: &mut Outcome) -> Verdict {
    let unsupported = |what: String, pos| Verdict::Unknown(UnknownReason::Unsupported { what, pos });
    let Some(entry) = request.program.functions.get(request.entry.0 as usize) else {
        return unsupported("there is no such function".to_owned(), None);
    };
    match &entry.body {
        Body::Defined(_) => {}
        Body::Extern => return unsupported(format!("'{}' has no body", entry.name), Some(entry.pos)),
        Body::Poisoned { reason, pos } => return unsupported(reason.to_string(), Some(*pos)),
    }
    let task = Task {
        program: request.program,
        base: request.base,
        entry: request.entry,
        label: request.label,
        settings: request.settings,
        store: request.store,
        budget: request.budget,
        progress: request.progress,
    };
    // The task is not used again after a panic, and the store believes nothing that was half done.
    let Ok(answer) = catch_unwind(AssertUnwindSafe(|| engine.verify(&task))) else {
        return unsupported(format!("internal error in the engine '{}'", engine.name()), None);
    };
    outcome.assumptions = answer.assumptions;
    outcome.decisions = answer.decisions;
    outcome.figures = answer.figures;
    outcome.calls = answer.calls;
    match answer.verdict {
        engine::Verdict::Safe => Verdict::Safe,
        engine::Verdict::Unknown(reason) => Verdict::Unknown(reason),
        engine::Verdict::Unsafe(claim) => {
            request.progress.note("running the violation");
            let limits = confirm::Limits::of(request);
            match confirm::confirm(request.program, request.entry, &claim, &limits) {
                Ok(violation) => Verdict::Unsafe(Box::new(violation)),
                Err(why) => Verdict::Unknown(UnknownReason::NotConfirmed(why)),
            }
        }
    }
}
