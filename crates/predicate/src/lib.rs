//! Predicate abstraction with procedure and loop summaries (paper 000: He, Yu, Cai, "Efficient Summary Reuse
//! for Software Regression Verification").
//!
//! ```text
//! select: for every fragment (function or loop) that is globally unchanged, take its summaries and its
//!         precision from the store
//! loop:   explore the abstract states under the precisions at hand (reachability, post);
//!         nothing fails: SAFE, with contracts (proof)
//!         otherwise there is an abstract path to an error (path)
//!         while it is feasible and has holes: open one (a summary from an earlier run)
//!         feasible without holes: a run to be replayed (input_vector)
//!         infeasible: interpolants give predicates for the fragments on the path
//!         (formula, interpolate, refine);
//!         where path after path does not lead anywhere, a solution of the program's Horn clauses does
//!         (clauses)
//! keep:   the summaries of all instances that are complete, whatever the verdict is (knowledge)
//! ```
//!
//! Where this differs from the paper, and why it stays sound:
//! - Summaries are relational: predicates may speak of values at the function's entry (`old.`), so that one
//!   summary serves many calls, and recursion needs no bound. A summary still says: from these states at the
//!   entry, only those at the exits.
//! - Blocks end at loop heads and at calls; what lies between is one formula (`encode::TransitionSystem`). A
//!   loop's exits are its own states, and the steps that leave it belong to what is around it.
//! - What a loop cannot change stays known across it.
//! - Fragments are found by content, in any earlier revision. Their key covers what the analysis took from
//!   the rest of the program: how memory is divided; and a summary names the bounds at its entry that it
//!   relies on.
//! - An interval analysis goes first (`ranges`); it is inductive by itself and part of every invariant.
//! - Expanding a hole forgets the summary and explores again, which costs only what is new: successors are
//!   remembered.
//! - Nothing is believed: proofs are checked by `certify`, violations run by the interpreter.

mod assume_guarantee;
mod clauses;
mod counterexample;
mod diagram;
mod engine;
mod extrapolate;
mod feasibility;
mod formula;
mod input_vector;
mod interpolate;
mod knowledge;
mod literals;
pub mod model;
mod path;
mod post;
mod predicates;
mod proof;
mod reachability;
mod recheck;
mod refine;
mod successor_cache;

pub use crate::engine::preferred_integers;
pub use crate::refine::atoms;
use ::engine::{Answer, Engine, Task};

pub struct Predicate;

impl Engine for Predicate {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn verify(&self, task: &Task) -> Answer {
        engine::verify(task)
    }
}
