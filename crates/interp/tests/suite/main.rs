//! The interpreter from outside: programs in the IR's text form, and properties against independent models.

mod common;
mod programs;
