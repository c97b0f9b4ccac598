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
//! `cell` is one variable, `exec` the program and where it starts, `way` goes from head to head, `evaluate`
//! says what conditions are in a state, `divide` what is kept at a head, `boundaries` which values a program
//! tells apart.

mod boundaries;
mod cell;
mod divide;
mod evaluate;
mod exec;
mod shape;
mod way;

pub use boundaries::Boundaries;
pub use cell::Cell;
pub use divide::{Divided, Outside};
pub use exec::{Executor, Frame, State, Stop};
pub use way::{Ask, End, Path};
