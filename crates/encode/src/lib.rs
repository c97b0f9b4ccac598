//! The one translation from IR to logic. Everything an engine believes about a program beyond its text is
//! here, and tested against the interpreter.
//!
//! - `mode` says what integers are: bit-vectors, integers with explicit wrapping, or mathematical integers.
//! - `state` is a symbolic state: a term for each register variable, an array for each memory region, and
//!   tokens for what lies outside (the world that functions without a body read and change, the allocator,
//!   the inputs).
//! - `regions` divides memory by a points-to analysis; `memory` reads and writes it.
//! - `names` is how variables are called in formulas.
//! - `expr` translates expressions, `op` operations.
//! - `outside` takes calls through pointers apart that may lead out of the program.
//! - `start` is what objects hold before anything runs.
//! - `footprint` says what a function can read and change; `calls` are calls whose body is not looked at.
//! - `whole` is a whole program that is verified from its entry, as transitions between cut points.
//! - `block` translates the loop-free part of an automaton between two cut points.
//! - `unwind` translates all executions up to a bound.
//! - `version` is one version of a function in a comparison.
//!
//! Functions without a body are uninterpreted functions of their arguments, the memory they can reach and the
//! world: the same arguments in the same memory give the same result and the same memory. What is not
//! determined is a fresh variable.

pub mod block;
mod bulk;
mod calls;
pub mod expr;
pub mod footprint;
mod look;
pub mod memory;
pub mod mode;
pub mod names;
pub mod op;
pub mod outside;
pub mod regions;
pub mod start;
pub mod state;
pub mod transition_system;
pub mod unwind;
pub mod version;

pub use expr::Encoder;
pub use look::Look;
pub use mode::{IntMode, Unsupported};
pub use regions::{Layout, Region, RegionId, Regions};
pub use state::State;
pub use transition_system::TransitionSystem;
