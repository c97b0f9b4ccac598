//! What the engine says about whole programs, small and random ones, and about versions of them.

mod agree;
mod equivalent;
mod histories;
mod make;
mod mutants;
mod reuse;
mod support;
