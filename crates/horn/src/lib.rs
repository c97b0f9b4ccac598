//! Constrained Horn clauses: systems of clauses over unknown predicates, and the solvers that find them.
//!
//! `system` is the data; everything else reads it. A [`Solution`] gives every predicate a formula and is
//! believed only after `check` has shown each clause to be valid under it; a refutation is a [`Derivation`],
//! a tree of clause instances with values that anyone can evaluate. `simplify` makes systems smaller and
//! translates answers back.

pub mod abstraction;
pub mod affine;
pub mod check;
pub mod derive;
pub mod functions;
pub mod ground;
mod instance;
pub mod minimise;
pub mod sample;
pub mod simplify;
pub mod spacer;
pub mod symbolic_abstraction;
pub mod system;
pub mod text;
mod values;

pub use abstraction::{Abstraction, Seeds, abstraction};
pub use check::{Failure, Flaw, check_derivation, check_solution};
pub use derive::{Unwound, bounded, unwind};
pub use ground::derive_from;
pub use minimise::minimise;
pub use spacer::spacer;
pub use system::{Answer, Atom, Clause, Derivation, Pred, PredId, Solution, System, Unknown};
pub use text::{ParseError, from_smtlib, to_smtlib};
