//! The propositional side of bounded model checking, without knowing about programs: and-inverter graphs
//! ([`aig`]), CaDiCaL in process ([`solver`]), its resolution proofs ([`proof`]), and one interpolant for
//! every node of a tree of partitions from one such proof ([`interpolate`]).
//!
//! A formula is built as an [`Aig`], brought to clauses by an [`Encoder`], and given either to a [`Solver`],
//! or, divided into numbered partitions, to a [`ProofSolver`]. Interpolants are graphs again; their inputs
//! are labelled with the numbers of the solver's variables.

pub mod aig;
pub mod cnf;
pub mod interpolate;
pub mod proof;
pub mod refutation;
pub mod samples;
pub mod solver;

pub use aig::{Aig, Lit, Node};
pub use cnf::{Clauses, Encoder, Literal, Var};
pub use interpolate::{Fault, Interpolants, System, Tree, check, interpolate};
pub use proof::{Outcome, Proof, ProofFailure, ProofSolver};
pub use refutation::{Formula, Found, Refutation, Search};
pub use samples::Samples;
pub use solver::{Answer, Solver};
