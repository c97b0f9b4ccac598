//! The answer.

use crate::input_vector::Counterexample;
use crate::invariant::Invariant;
use crate::partition::Partition;
use crate::reason::UnknownReason;
use crate::settings::Bounds;
use encode::IntMode;
use ir::{FuncId, NodeId, Pos};
use logic::Term;
use sat::Refutation;
use serde::{Deserialize, Serialize};
use slice::Checks;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Answer {
    pub verdict: Verdict,
    /// What was reused or not, and why.
    pub decisions: Vec<Decision>,
    /// Up to which bound no check fails, if the engine goes by bounds.
    pub bound: Option<u32>,
    /// How many claims of the engine it saw itself to be wrong: runs in which nothing fails. Each is a fault
    /// of the engine, whatever becomes of the verdict.
    pub refuted: u32,
    /// For people and for measurements; nothing is decided by them.
    pub figures: Vec<Figure>,
    /// A run that is claimed to do something undefined that no check asks about.
    pub undefined: Option<Box<Counterexample>>,
    /// The calls of the unwound program, parents first, if the engine knows them; the root is the entry.
    pub calls: Vec<CallNode>,
    /// A function with a check that could not be shown to hold: whoever is asked next may begin there.
    pub suspect: Option<FuncId>,
}

impl From<Verdict> for Answer {
    /// The verdict, and nothing else.
    fn from(verdict: Verdict) -> Answer {
        let (decisions, figures, calls) = (Vec::new(), Vec::new(), Vec::new());
        Answer { verdict, decisions, bound: None, refuted: 0, figures, undefined: None, calls, suspect: None }
    }
}

/// Why no check fails in any execution, in a form that can be checked without the engine. About the slice of
/// the program for its entry and these checks (`slice::slice_for`), or the program itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof {
    /// The slice that the proof is about; None: the whole program.
    pub slice: Option<Checks>,
    pub argument: Argument,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// Contracts of all functions and invariants of all cut points of `encode::TransitionSystem` that can be
    /// reached; what is not mentioned is never reached.
    Contracts { mode: IntMode, contracts: Vec<Contract> },
    /// No execution goes through a loop, or into a function that calls itself, more often than this.
    Unwinding { bound: u32 },
    /// The same, with the reason why: executed so far (`unwind`), no check fails and nothing else is left to
    /// happen.
    Unwound(Unwound),
    /// The states at the heads of loops, divided like this, can be enumerated (`states`), and no check fails
    /// from any of them.
    Explored(Partition),
    /// Proofs for some of the checks each, which together are about all of them. An execution that fails a
    /// check has passed all before it, so it is enough that each is shown where the others do not fail.
    Parts(Vec<Proof>),
}

/// How far a program was executed, and why nothing is left.
#[derive(Clone, PartialEq, Debug)]
pub struct Unwound {
    pub bounds: Bounds,
    /// For so many steps, iterations that no input can avoid did not count.
    pub free: u64,
    /// The loops that were not unwound.
    pub widened: Widened,
    /// What is known of these states.
    pub invariants: Vec<Invariant>,
    /// Questions whether executions get somewhere whose answer was no, by their numbers, ascending (see
    /// `unwind::prune`).
    pub pruned: Arc<[u64]>,
    /// Of the formula that says that something is left. Where there is none, whoever checks finds one.
    pub refutation: Option<Arc<Refutation>>,
}

/// Which loops run from states that stand for all of their iterations. The others are unwound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Widened {
    Nothing,
    All,
    These(Vec<LoopName>),
}

/// A loop: as `reprove show fragments` numbers them in their function, from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopName {
    pub function: String,
    pub number: u32,
}

/// What a function relies on and gives. Terms are over the variables of `encode::TransitionSystem::variables`.
#[derive(Clone, PartialEq, Debug)]
pub struct Contract {
    pub function: FuncId,
    /// What holds whenever it is entered: over its parameters, globals and memory, without prefix.
    pub requires: Term,
    /// What holds when it returns: over globals and memory then (no prefix), over parameters, globals and
    /// memory at its entry (`old.` in front), and the variable [`RESULT`].
    pub ensures: Term,
    /// What holds whenever a cut point is reached: over all variables then (no prefix) and at the function's
    /// entry (`old.`).
    pub invariants: Vec<(NodeId, Term)>,
}

/// The variable that stands for what a function returns in its contract.
pub const RESULT: &str = ".result";

#[derive(Clone, Debug)]
pub enum Verdict {
    /// No check fails in any execution, for this reason.
    Safe(Box<Proof>),
    /// A check fails; a claim until the input vector was run.
    Unsafe(Box<Counterexample>),
    Unknown(UnknownReason),
}

/// One decision about reuse.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Decision {
    /// A function, or a call by its path from the entry.
    pub about: String,
    pub outcome: Outcome,
    pub reason: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Reused,
    Rechecked,
    Rejected,
    Rebuilt,
    New,
}

/// A number with a name, as `solver conflicts`; times are in seconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    pub name: &'static str,
    pub value: f64,
}

/// A call of the unwound program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallNode {
    pub parent: Option<u32>,
    pub function: FuncId,
    pub name: String,
    /// Of the call.
    pub pos: Pos,
    pub state: CallState,
}

/// What the upgrade check did with a call (the shades of the paper's Figures 1 and 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CallState {
    /// Not looked at: nothing below changed, or a valid summary stands for it.
    Untouched,
    /// Changed or above a change; its summary still holds.
    Held,
    /// Its summary no longer holds.
    Fell,
    /// Its summary fell and a new one was made.
    Rebuilt,
    /// Had no summary; one was made.
    New,
    /// Looked into to check one above it.
    Inlined,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Outcome::Reused => "reused",
            Outcome::Rechecked => "rechecked",
            Outcome::Rejected => "rejected",
            Outcome::Rebuilt => "rebuilt",
            Outcome::New => "new",
        })
    }
}
