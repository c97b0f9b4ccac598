//! Tests of the engine from outside: a program goes in, a verdict comes out, and the interpreter is the
//! judge.

mod agree;
mod anything;
mod damage;
mod edit;
mod golden;
mod golden_leak;
mod golden_memory;
mod golden_rounds;
mod golden_undefined;
mod make;
mod pairs;
mod support;
mod upgrade;
