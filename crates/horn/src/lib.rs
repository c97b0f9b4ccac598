//! Constrained Horn clauses: systems of clauses over unknown predicates, and the solvers that find them.
//!
//! `system` is the data; everything else reads it. A [`Solution`] gives every predicate a formula and is believed only after
//! `check` has shown each clause to be valid under it; a refutation is a [`Derivation`], a tree of clause instances with values
//! that anyone can evaluate.

pub mod system;

pub use system::{Answer, Atom, Clause, Derivation, Pred, PredId, Solution, System, Unknown};
