//! One engine, asked once; what it claims is run or checked before it counts.

use crate::certified;
use crate::plan::Proved;
use crate::{Request, Verdict, confirm, doubt};
use base::Budget;
use certify::program::Checker;
use engine::{Answer, CallNode, Decision, Engine, Figure, Reuse, Settings, Task, UnknownReason};
use ir::{Body, FuncId};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What an engine was asked, and came to.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub engine: &'static str,
    pub claim: Claim,
    /// Of the engine; running and checking its claims is not its work.
    pub time: Duration,
    /// Up to which bound no check fails, if the engine goes by bounds.
    pub bound: Option<u32>,
    /// How many of its claims were seen to be wrong, by itself or by those who check: faults of the engine,
    /// whatever becomes of the verdict.
    pub refuted: u32,
    /// For people and for measurements; nothing is decided by them.
    pub figures: Vec<Figure>,
    /// Where the next engine may begin.
    pub suspect: Option<FuncId>,
}

impl Attempt {
    pub(crate) fn new(engine: &'static str, claim: Claim, time: Duration) -> Attempt {
        Attempt { engine, claim, time, bound: None, refuted: 0, figures: Vec::new(), suspect: None }
    }
}

/// A verdict without its reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The proof was checked.
    Safe,
    /// The violation was run.
    Unsafe,
    Unknown(UnknownReason),
}

/// An attempt with everything that the answer may need of it.
pub(crate) struct AttemptResult {
    pub attempt: Attempt,
    /// A run that does something undefined, as it happened.
    pub undefined: Option<confirm::Undefined>,
    pub decisions: Vec<Decision>,
    pub calls: Vec<CallNode>,
    pub certified: Option<Proved>,
}

/// Why nobody needs to be asked.
pub(crate) fn entry_problem(request: &Request) -> Option<UnknownReason> {
    let unsupported = |what: String, pos| Some(UnknownReason::Unsupported { what, pos });
    let Some(entry) = request.subject.program.functions.get(request.subject.entry.0 as usize) else {
        return unsupported("there is no such function".to_owned(), None);
    };
    match &entry.body {
        Body::Defined(_) => None,
        Body::Extern => unsupported(format!("'{}' has no body", entry.name), Some(entry.pos)),
        Body::Poisoned { reason, pos } => unsupported(reason.to_string(), Some(*pos)),
    }
}

/// How an engine is asked.
#[derive(Clone, Copy)]
pub(crate) struct AttemptOptions<'a> {
    pub settings: &'a Settings,
    pub budget: &'a Budget,
    /// Functions that changed, but do what they did.
    pub equivalent: &'a [FuncId],
    pub checker: &'a Checker<'a>,
}

/// Asks an engine within a budget of its own.
pub(crate) fn attempt(
    engine: &dyn Engine,
    request: &Request,
    options: &AttemptOptions,
) -> (Verdict, AttemptResult) {
    let (verdict, tried) = once(engine, request, options);
    // What rests on earlier runs may lack a part that the checker needs: then it is made anew.
    let reused = tried.decisions.iter().any(|d| d.outcome == engine::Outcome::Reused);
    if reused && matches!(verdict, Verdict::Unknown(UnknownReason::NotCertified(_))) {
        let anew = Settings { reuse: Reuse::NONE, ..options.settings.clone() };
        let (again, mut second) =
            once(engine, request, &AttemptOptions { settings: &anew, equivalent: &[], ..*options });
        if matches!(again, Verdict::Safe | Verdict::Unsafe(_)) {
            second.attempt.time += tried.attempt.time;
            return (again, second);
        }
    }
    (verdict, tried)
}

fn once(engine: &dyn Engine, request: &Request, options: &AttemptOptions) -> (Verdict, AttemptResult) {
    let AttemptOptions { settings, budget, equivalent, checker } = *options;
    let start = Instant::now();
    let task = Task {
        subject: request.subject,
        base: request.base,
        equivalent,
        label: request.label,
        settings,
        store: request.store,
        budget,
        progress: request.progress,
    };
    // The task is not used again after a panic, and the store believes nothing that was half done.
    let Ok(answer) = catch_unwind(AssertUnwindSafe(|| engine.verify(&task))) else {
        let reason = UnknownReason::Internal(format!("the engine '{}'", engine.name()));
        let attempt = Attempt::new(engine.name(), Claim::Unknown(reason.clone()), start.elapsed());
        let (decisions, calls) = (Vec::new(), Vec::new());
        let tried = AttemptResult { attempt, undefined: None, decisions, calls, certified: None };
        return (Verdict::Unknown(reason), tried);
    };
    let Answer { bound, figures, suspect, .. } = answer;
    let time = start.elapsed();
    let mut certified = None;
    let mut refuted = false;
    let verdict = match answer.verdict {
        engine::Verdict::Unknown(reason) => Verdict::Unknown(reason),
        engine::Verdict::Safe(proof) => match certified::certify(request, checker, engine.name(), *proof) {
            Ok(proved) => {
                certified = Some(proved);
                Verdict::Safe
            }
            Err(doubt) => {
                refuted = doubt.refuted;
                Verdict::Unknown(UnknownReason::NotCertified(doubt.why))
            }
        },
        engine::Verdict::Unsafe(claim) => {
            request.progress.note("running the violation");
            let limits = confirm::Limits::of(request);
            match confirm::confirm(request.subject.program, request.subject.entry, &claim, &limits) {
                Ok(violation) => Verdict::Unsafe(Box::new(violation)),
                Err(doubt) => {
                    refuted = doubt.refuted;
                    Verdict::Unknown(UnknownReason::NotConfirmed(doubt.why))
                }
            }
        }
    };
    let refuted = answer.refuted + u32::from(refuted && doubt::is_expressed(request.subject.program));
    let claim = match &verdict {
        Verdict::Safe => Claim::Safe,
        Verdict::Unsafe(_) => Claim::Unsafe,
        Verdict::Unknown(reason) => Claim::Unknown(reason.clone()),
    };
    let undefined = answer.undefined.and_then(|claim| {
        confirm::undefined(
            request.subject.program,
            request.subject.entry,
            &claim,
            &confirm::Limits::of(request),
        )
    });
    let attempt = Attempt { engine: engine.name(), claim, time, bound, refuted, figures, suspect };
    let (decisions, calls) = (answer.decisions, answer.calls);
    (verdict, AttemptResult { attempt, undefined, decisions, calls, certified })
}
