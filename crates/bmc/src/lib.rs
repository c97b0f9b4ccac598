//! Partitioned bounded model checking with function summaries: the engine of paper 002 (Sery, Fedyukovich,
//! Sharygina: "Incremental Upgrade Checking by Means of Interpolation-based Function Summaries", FMCAD 2012).
//!
//! ```text
//! verify:  slice; if the store has this version: its verdict
//!          if it has an earlier one: the upgrade check (Algorithm 2, `upgrade`); if that decides: done
//!          all rounds at once (`whole`), if they come to an end soon
//!          for K = 1, 2, 4, ...:
//!            execute up to K (`exec`), ask for an error (`formula`), replay it (`input_vector`)
//!            ask for executions beyond K; if there are none: SAFE
//!            once: a proof for all K at once (`widen`), with invariants (`guess`, `houdini`)
//!          if it is safe (and worth it):
//!            once more with calls as partitions (`cut`, `partition`), one interpolant a call from one proof
//!            (Algorithm 1), and a record of each call for the next version (`summary`, `knowledge`)
//! ```
//!
//! Where we deviate from the paper, and why it stays sound:
//! - Execution is symbolic with concrete addresses (`objects`, `pointer`, `content`): constants propagate
//!   through memory and calls, so that loops with constant bounds unwind by themselves. A partition is
//!   therefore one for its context (constants, and what pointers point to); a [`summary`](mod@summary) keeps
//!   the context and applies where it matches (`apply`).
//! - The first answer comes from a formula without borders between calls, which is smaller; partitions are
//!   only for summaries.
//! - Bounds are not fixed but deepened, with the solver kept; when no execution goes beyond them, the proof
//!   is a full one.
//! - What comes after undefined behaviour is outside of the verdict; a run that comes to it is reported as
//!   such.
//! - Functions without a body may change what they can reach (`havoc`).
//! - The root's error trace comes from a verification from scratch, and every violation is replayed by the
//!   interpreter.

use unwind::{apply, cut, exec, globals, local, objects, summary};
mod beyond;
mod engine;
mod feasible;
mod formula;
mod houdini;
mod input_vector;
mod knowledge;
mod partition;
mod statistics;
mod step;
mod upgrade;
mod whole;
mod widening;

use ::engine::{Answer, Engine, Task};

/// The engine.
pub struct Bmc;

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn verify(&self, task: &Task) -> Answer {
        engine::verify(task)
    }
}
