//! A program executed from state to state: what the engine `explicit` searches with, and what the checker
//! builds again.
//!
//! A [`State`] says where an execution is (the functions it is in, and where in each) and what its register
//! variables hold: one value, a set of values (`ranges::Values`), or anything. [`Executor::run`] follows all
//! executions from a state to the next heads of loops. Where a condition is not decided both ways are
//! followed, each with what the condition says (`ranges::Evaluator`), so states stay as precise as their
//! variables are.
//!
//! Memory is not part of a state: what is read from it is anything. So states have more executions than the
//! program, and what does not fail from any of them does not fail. At the head of a loop, a
//! [`engine::Partition`] says which values of a variable are told apart ([`Divided`]); where it says nothing,
//! all are.
//!
//! `cell` is one variable, `exec` one way from head to head, `divide` what is kept there, `boundaries` which
//! values a program tells apart.

mod boundaries;
mod cell;
mod divide;
mod exec;
mod shape;

pub use boundaries::Boundaries;
pub use cell::Cell;
pub use divide::{Divided, Outside};
pub use exec::{Ask, End, Executor, Frame, Path, State, Stop};
