//! Equivalence of two versions of a function: are their observable effects the same on every input?
//!
//! - [`concrete`]: both versions run on the same concrete inputs; a difference found is the answer, and every
//!   claimed difference is replayed here.
//! - [`spec`]: what the user says about the comparison: conditions on the inputs, relations of the outputs.

mod align;
pub mod callees;
pub mod concrete;
mod condition;
pub mod contract;
pub mod cotermination;
mod differ;
mod endless;
pub mod engine;
pub mod functions;
mod model_input;
pub mod prepare;
pub mod product;
pub mod prove;
pub mod scope;
pub mod shape;
pub mod side;
pub mod spec;
mod symbolic;
pub mod template;
#[cfg(feature = "testing")]
pub mod testing;
mod unbounded;
pub mod verdict;

pub use verdict::{Confirm, Integers, Member, Proof, Report, Request, Verdict};
