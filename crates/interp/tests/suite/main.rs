//! The interpreter from outside: programs in the IR's text form, and properties against independent models.

mod bits;
mod build;
mod common;
mod floats;
mod ints;
mod memory;
mod origins;
mod printing;
mod programs;
mod random;
mod values;
