//! The encoding against the interpreter: what is encoded is what is computed, in every mode.

mod arithmetic;
mod expressions;
mod names;
mod operators;
mod programs;
mod random;
mod support;
mod world;
