//! Programs whose states are few: state machines and protocol handlers, explored state by state with symbolic
//! inputs.
//!
//! ```text
//! verify:  slice
//!          search: run the program on chosen inputs, breadth first, from head to head of its loops;
//!                  states that are alike are run once
//!                  a check fails: UNSAFE, with the inputs
//!          prove:  follow all executions from head to head, with inputs that may be anything, until no
//!                  state is new
//!                  no check can fail: SAFE, with the partition
//!                  one may: give up, or tell more values apart
//! ```
//!
//! A state is what the register variables hold (`states`). Two things keep states few. A variable with many
//! values is divided by the constants that the program compares it with ([`states::Boundaries`]), as a person
//! would draw the state machine; and each part is only as wide as the values that come to it, which is found
//! by going round until nothing grows (`prove`). The proof is that division ([`engine::Partition`]): whoever
//! checks it enumerates the states again.
//!
//! This is explicit-value analysis (Beyer, Löwe: "Explicit-State Software Model Checking Based on CEGAR and
//! Interpolation", FASE 2013) with intervals for what has too many values, and without refinement.

mod prove;
mod search;

use engine::{Answer, Argument, Engine, Figure, Proof, Task, UnknownReason, Verdict};
use prove::Proved;
use search::Searched;
use states::{Boundaries, Executor, Stop};

/// The engine.
pub struct Explicit;

/// How many values of a variable are told apart before it is divided: one attempt after the other.
const MOST_VALUES: [usize; 2] = [64, 1024];
/// Of states that are alike, so many are run.
const REPRESENTATIVES: [u8; 3] = [1, 4, 16];
/// More states are not kept.
const MOST_STATES: usize = 2_000_000;
/// Operations of one search. What fails is found soon, or by others.
const SEARCH_STEPS: u64 = 20_000_000;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn verify(&self, task: &Task) -> Answer {
        let program = task.subject.view(task.settings.slice);
        let exec = Executor::new(program, task.budget);
        let mut figures = Figures::default();
        let verdict = decide(&exec, task, &mut figures);
        let figures = vec![
            Figure { name: "states", value: figures.states as f64 },
            Figure { name: "states run", value: figures.run as f64 },
            Figure { name: "steps", value: exec.steps() as f64 },
            Figure { name: "passes", value: f64::from(figures.passes) },
        ];
        Answer { figures, ..verdict.into() }
    }
}

#[derive(Default)]
struct Figures {
    /// Of the last pass.
    states: usize,
    /// Of all searches.
    run: usize,
    passes: u32,
}

fn decide(exec: &Executor, task: &Task, figures: &mut Figures) -> Verdict {
    let boundaries = Boundaries::of(exec.program);
    let mut reason = None;
    for (attempt, most) in MOST_VALUES.into_iter().enumerate() {
        task.progress.note("running states");
        for representatives in REPRESENTATIVES.iter().skip(attempt).take(1 + attempt) {
            match search::search(
                exec,
                task.subject.entry,
                &boundaries,
                most,
                *representatives,
                SEARCH_STEPS,
                figures,
            ) {
                Searched::Fails(counterexample) => return Verdict::Unsafe(Box::new(counterexample)),
                Searched::Nothing => {}
                Searched::Stopped(stop) => return Verdict::Unknown(unknown(stop)),
            }
        }
        task.progress.note("enumerating states");
        match prove::prove(exec, task.subject.entry, &boundaries, most, figures) {
            Proved::Safe(partition) => {
                let slice = task.subject.viewed(task.settings.slice);
                return Verdict::Safe(Box::new(Proof { slice, argument: Argument::Explored(partition) }));
            }
            Proved::MayFail => reason = Some("a check may fail in states that are not told apart"),
            Proved::Stopped(stop) => return Verdict::Unknown(unknown(stop)),
        }
    }
    let what = reason.unwrap_or("nothing was explored").to_owned();
    Verdict::Unknown(UnknownReason::Unsupported { what, pos: None })
}

fn unknown(stop: Stop) -> UnknownReason {
    match stop {
        Stop::Budget(stopped) => UnknownReason::Stopped(stopped),
        Stop::Unsupported(what) => UnknownReason::Unsupported { what: what.to_owned(), pos: None },
    }
}
