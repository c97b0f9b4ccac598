//! Terms as circuits: every Bool becomes one edge of an and-inverter graph, every bit-vector a word of them.
//!
//! [`Blaster`] translates terms, each of them once, and remembers which inputs stand for which variable.
//! Reads of array variables and applications of uninterpreted functions become words of new inputs, tied
//! together by [`Blaster::constraints`]. After a solver found values for the inputs, [`Blaster::model`] says
//! what the variables are. What cannot be translated is [`Refused`], with the reason; nothing is ever
//! approximated.

mod array;
mod blaster;
mod conversion;
mod divide;
mod float;
mod model;
mod multiply;
mod word;

pub use blaster::{Blaster, Refused};
pub use divide::Division;
pub use model::Model;

/// The bits of a value, the least one first.
pub type Word = Vec<sat::Lit>;
