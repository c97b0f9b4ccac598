//! Equivalence of two versions of a function: are their observable effects the same on every input?
//!
//! - [`concrete`]: both versions run on the same concrete inputs; a difference found is the answer, and every claimed
//!   difference is replayed here.

pub mod concrete;
