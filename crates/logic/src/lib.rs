//! The logic that every engine speaks: hash-consed terms over Bool, Int, bit-vectors, arrays and floats.
//!
//! [`Term`] is one node of a shared graph; its constructors simplify (`build`, `number`, `bits`, `array`,
//! `float`). Sums of integers and of bit-vectors have one normal form, so that equal linear expressions are
//! the same term. `subst` replaces and collects variables, `eval` computes the value of a term, `print` and
//! `parse` are SMT-LIB.

mod array;
mod bits;
mod bounds;
mod build;
mod digest;
mod eval;
mod float;
mod fold_float;
mod interval;
mod number;
mod operators;
pub mod parse;
mod pretty;
pub mod print;
mod scope;
mod sexpr;
mod sort;
mod subst;
mod term;
mod value;

pub use dashu_int::IBig;
pub use digest::{Digest, Digests, Shapes};
pub use eval::eval;
pub use interval::Interval;
pub use number::Linear;
pub use sort::Sort;
pub use subst::{
    Substitution, bottom_up, bottom_up_in, free_vars, free_vars_of, rebuild, size, subterms, subterms_in,
};
pub use term::{Args, Op, Rounding, Term, name};
pub use value::{ArrayValue, Value};
