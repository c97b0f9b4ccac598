//! The other checks that fail.
//!
//! A verdict needs one violation; people want to fix all they can in one go. So after the first one, bounded
//! model checking is asked again about a program in which the checks found so far are assumed to hold: a
//! failure that only follows from a known one is not reported, and each round finds another check or ends the
//! search. It gets about the time that the verdict took, within narrow limits, since the verdict is known
//! already; nothing of it is stored.

use crate::confirm::{self, Violation};
use crate::plan::SHALLOW;
use crate::{Outcome, Request, Verdict};
use base::Budget;
use engine::{Engine, Quiet, Reuse, Settings, Subject, Summaries, Task};
use ir::{Body, Op, Program};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// So many failures are enough for one run, the first included.
pub const MOST: usize = 10;
const LEAST_TIME: Duration = Duration::from_millis(300);
const MOST_TIME: Duration = Duration::from_secs(3);

/// Violations of other checks than the one that makes the program unsafe, in the order they are found.
pub fn others(request: &Request, outcome: &Outcome) -> Vec<Violation> {
    let Verdict::Unsafe(first) = &outcome.verdict else { return Vec::new() };
    request.progress.note("looking for other failures");
    let budget = request.budget.within(outcome.time.clamp(LEAST_TIME, MOST_TIME));
    let mut settings = Settings { reuse: Reuse::NONE, ..request.settings.clone() };
    settings.bmc.shallow = Some(SHALLOW);
    settings.bmc.summaries = Summaries::Worthwhile;
    let mut program = request.subject.program.clone();
    let mut found: Vec<Violation> = Vec::new();
    while found.len() + 1 < MOST && budget.check(0).is_ok() {
        let known = found.last().unwrap_or(first);
        if !assume(&mut program, known) {
            break;
        }
        match next(request, &program, &settings, &budget) {
            Some(violation) => found.push(violation),
            None => break,
        }
    }
    found
}

/// A violation of the checks that are left. It is run in the program as it is: all that is assumed holds
/// there.
fn next(request: &Request, rest: &Program, settings: &Settings, budget: &Budget) -> Option<Violation> {
    let task = Task {
        subject: &Subject::new(rest, request.subject.entry),
        base: None,
        equivalent: &[],
        label: request.label,
        settings,
        store: None,
        budget,
        // What this comes to is nothing that the verdict depends on.
        progress: &Quiet,
    };
    // An engine that fails internally finds nothing more; the verdict stands.
    let answer = catch_unwind(AssertUnwindSafe(|| bmc::Bmc.verify(&task))).ok()?;
    let engine::Verdict::Unsafe(claim) = answer.verdict else { return None };
    let limits = confirm::Limits::of(request);
    let violation = confirm::confirm(request.subject.program, request.subject.entry, &claim, &limits).ok()?;
    is_check(rest, &violation).then_some(violation)
}

/// Executions in which the check fails are none any more; false if there is no such check.
fn assume(program: &mut Program, violation: &Violation) -> bool {
    if !is_check(program, violation) {
        return false;
    }
    let Body::Defined(cfa) = &mut program.function_mut(violation.function).body else { return false };
    match cfa.edge_mut(violation.edge) {
        op @ Op::Check { .. } => {
            if let Op::Check { cond, .. } = op {
                *op = Op::Assume { cond: cond.clone(), holds: true };
            }
            true
        }
        _ => false,
    }
}

fn is_check(program: &Program, violation: &Violation) -> bool {
    let cfa = program.functions.get(violation.function.0 as usize).and_then(|function| function.cfa());
    let edge = cfa.and_then(|cfa| cfa.edges().get(violation.edge.0 as usize));
    edge.is_some_and(|edge| matches!(edge.op, Op::Check { .. }))
}
