//! What the engine says about whole programs, small and random ones, and about versions of them.

mod agree;
mod equivalent;
mod golden;
mod golden_memory;
mod histories;
mod make;
mod mutants;
mod recheck;
mod reuse;
mod support;
