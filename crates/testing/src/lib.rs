//! What tests share: cases that are files ([`case`]), printed output that can be blessed ([`golden`]), text to
//! program ([`compile`]), numbers of a seed ([`Random`]); random programs ([`rich`], [`choices`],
//! [`known`]), their edits
//! ([`rich::edit`]), what runs show of them ([`observe`]), and cutting them down ([`source`], [`tree`]).
//!
//! For tests and `bench` only: nothing that the tool ships depends on it.

pub mod case;
pub mod choices;
pub mod compile;
pub mod golden;
pub mod known;
pub mod observe;
pub mod rich;
pub mod source;
pub mod tree;

pub use base::random::Random;
pub use compile::{compile, compile_with, program, with_prelude};

use std::path::PathBuf;

/// A path in the repository.
pub fn path(inside: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(inside)
}
