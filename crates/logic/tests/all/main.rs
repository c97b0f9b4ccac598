//! Tests of the crate's public face, in one binary.

mod constructors;
mod floats;
mod limits;
mod parse;
mod support;
mod text;
