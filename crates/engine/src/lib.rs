//! What every verification engine has in common: the question, the answer, and how a claimed violation is run
//! again.
//!
//! An engine takes a [`Task`] (a program, where it starts, what the store offers, a budget) and gives an
//! [`Answer`]: a verdict, what it assumed, what it reused and why, and figures. An engine's
//! [`Verdict::Unsafe`] is a claim: it carries an [`InputVector`] that answers the interpreter's questions,
//! and whoever asked runs it before believing it.

mod answer;
mod assumption;
mod input_vector;
mod invariant;
mod partition;
mod reason;
mod settings;
mod subject;
mod task;
mod versions;

pub use answer::{
    Answer, Argument, CallNode, CallState, Contract, Decision, Figure, LoopName, Outcome, Proof, RESULT,
    Unwound, Verdict, Widened,
};
pub use assumption::{Assumption, Undefined, asks_for_memory, assumptions};
pub use input_vector::{Counterexample, InputVector, Site, UNCHANGED};
pub use invariant::{Condition, Invariant, Operand, Place, Relation};
pub use partition::{Partition, Slot};
pub use reason::{Beyond, InputData, ReasonData, Repeated, UnknownReason};
pub use settings::{
    BmcSettings, Bounds, ContractsSettings, Holes, LoopBound, PredicateSettings, Reuse, Scenario, Settings,
    Summaries, System, Unwind,
};
pub use subject::Subject;
pub use task::{Progress, Quiet, Task};
pub use versions::{Side, Undecided};

/// A way to decide whether a check can fail.
pub trait Engine {
    fn name(&self) -> &'static str;

    fn verify(&self, task: &Task) -> Answer;
}
