//! The program, unwound: loops and calls are executed symbolically up to a bound, and what can go wrong is
//! one formula.
//!
//! This is to unwinding what `encode` is to invariants: the one translation, which the engine searches with
//! and the checker builds again for itself. [`exec::Exec`] executes; what fails (`Call::errors`) and what was
//! not followed (`open_gaps`) are conditions over inputs. If none of them can hold, no execution fails a
//! check, whatever the bound was.
//!
//! Execution is with concrete addresses: every object has one ([`objects`]), a pointer is a number whose
//! targets are read off how it was computed ([`pointer`]), and what an object holds is known cell by cell
//! ([`content`], [`memory`], [`log`]). So constants propagate through memory and calls, and most accesses are
//! decided without a solver. What is valid is decided exactly: each object has its size and whether it is
//! alive.
//!
//! Whatever is approximated has more behaviours than the program: loops that are not unwound ([`widen`]),
//! calls that are cut off from their callers ([`cut`]) and those that a summary stands for ([`apply`]). The
//! latter two are for the engine alone.

pub mod apply;
pub mod call;
pub mod content;
pub mod cut;
mod difference;
pub mod exec;
pub mod expr;
mod facts;
pub mod globals;
pub mod guard;
pub mod guess;
pub mod havoc;
pub mod index;
pub mod invariant;
mod leak;
pub mod local;
pub mod log;
pub mod memory;
pub mod merge;
pub mod objects;
pub mod order;
pub mod pointer;
pub mod prune;
pub mod question;
pub mod schedule;
pub mod state;
pub mod summary;
pub mod widen;
