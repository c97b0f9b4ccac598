//! Is a claimed violation one?
//!
//! The interpreter runs the program with the claim's answers to everything that comes from outside. Only a
//! failed check confirms the claim: not undefined behaviour that nobody asked about, not a run that a limit
//! ended.

use crate::{Doubt, Request};
use base::Budget;
use engine::Counterexample;
use interp::{Access, Interp, Options, Outcome, Run, UndefinedKind};
use ir::{CheckKind, EdgeId, FuncId, Pos, Program};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A violation that happened.
pub struct Violation {
    pub kind: CheckKind,
    pub function: FuncId,
    pub edge: EdgeId,
    pub pos: Pos,
    pub message: Option<Arc<str>>,
    /// What was accessed, if it is about memory.
    pub access: Option<Access>,
    /// The run: its inputs, where it ended, what it printed.
    pub run: Run,
    pub counterexample: Counterexample,
}

/// Undefined behaviour that happened.
pub struct Undefined {
    pub what: UndefinedKind,
    pub pos: Pos,
    /// The run: its inputs, where it ended, what it printed.
    pub run: Run,
}

/// What a replay may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    pub steps: u64,
    pub memory: u64,
    pub budget: Budget,
}

/// Replaying is fast, and a violation that was found just in time should not be lost.
const GRACE: Duration = Duration::from_millis(150);
const STEPS: u64 = 1 << 32;
const MEMORY: u64 = 1 << 30;

impl Limits {
    pub fn of(request: &Request) -> Limits {
        let soonest = Instant::now() + GRACE;
        let deadline = request.budget.deadline.map(|deadline| deadline.max(soonest));
        let memory = request.settings.memory.map_or(MEMORY, |limit| MEMORY.min(limit / 4));
        Limits { steps: STEPS, memory, budget: Budget { deadline, ..request.budget.clone() } }
    }
}

/// The violation as it happened, or why it did not.
pub fn confirm(
    program: &Program,
    entry: FuncId,
    claim: &Counterexample,
    limits: &Limits,
) -> Result<Violation, Doubt> {
    let mut options = options(entry, claim, limits);
    options.record_inputs = true;
    let mut interp = Interp::new(program, options).map_err(|e| Doubt::open(e.to_string()))?;
    let run = interp.run(&mut claim.inputs.clone(), &limits.budget);
    match &run.outcome {
        Outcome::CheckFailed { kind, function, edge, pos, message, access } => Ok(Violation {
            kind: *kind,
            function: *function,
            edge: *edge,
            pos: *pos,
            message: message.clone(),
            access: *access,
            counterexample: claim.clone(),
            run,
        }),
        // Where a limit ended it, the check may have failed later. Behind undefined behaviour too, for an
        // engine that does not see it: one whose memory has no ends of objects.
        other => {
            let open = matches!(
                other,
                Outcome::Undefined(_)
                    | Outcome::Stopped(_)
                    | Outcome::OutOfMemory
                    | Outcome::StackOverflow
                    | Outcome::Unsupported { .. }
            );
            Err(Doubt { why: format!("the run {}", ending(program, other)), refuted: !open })
        }
    }
}

/// The undefined behaviour that a run comes to, if it does.
pub fn undefined(
    program: &Program,
    entry: FuncId,
    claim: &Counterexample,
    limits: &Limits,
) -> Option<Undefined> {
    let mut options = options(entry, claim, limits);
    options.record_inputs = true;
    let run = Interp::new(program, options).ok()?.run(&mut claim.inputs.clone(), &limits.budget);
    match &run.outcome {
        Outcome::Undefined(found) => Some(Undefined { what: found.kind, pos: found.pos, run }),
        _ => None,
    }
}

pub(crate) fn options(entry: FuncId, claim: &Counterexample, limits: &Limits) -> Options {
    Options {
        max_steps: limits.steps,
        max_memory: limits.memory,
        heap: claim.heap.clone(),
        output_limit: 1 << 16,
        ..Options::new(entry)
    }
}

/// How a run ended, as the rest of a sentence.
pub fn ending(program: &Program, outcome: &Outcome) -> String {
    let at = |pos: &Pos| match program.files.get(pos.file as usize).filter(|_| pos.line > 0) {
        Some(file) => format!(" at {file}:{}:{}", pos.line, pos.column),
        None => String::new(),
    };
    match outcome {
        Outcome::Returned(_) => "returned without a failed check".to_owned(),
        Outcome::Exited(code) => format!("exited with {code}"),
        Outcome::Aborted => "aborted".to_owned(),
        Outcome::CheckFailed { kind, pos, .. } => format!("failed a check ({}){}", kind.name(), at(pos)),
        Outcome::AssumeViolated { pos, .. } => format!("violated an assumption{}", at(pos)),
        Outcome::Undefined(u) => format!("ended with undefined behaviour: {}{}", u.kind, at(&u.pos)),
        Outcome::Unsupported { reason, pos } => format!("needs something unsupported{}: {reason}", at(pos)),
        Outcome::InputsExhausted => "wanted more inputs".to_owned(),
        Outcome::Stopped(why) => format!("did not come to an end: {why}"),
        Outcome::StackOverflow => "nested its calls too deeply".to_owned(),
        Outcome::OutOfMemory => "took too much memory".to_owned(),
    }
}
