//! Tests of the engine from outside: a program goes in, a verdict comes out, and the interpreter is the
//! judge.

mod agree;
mod anything;
mod damage;
mod questions;
mod support;
mod upgrade;
