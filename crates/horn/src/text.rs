//! Systems as SMT-LIB text: `(set-logic HORN)`, one `declare-fun` for each predicate, one `assert` for each
//! clause.
//!
//! What is read back has the same predicates and clauses; the names of parameters are not part of the text,
//! and labels are comments. `write` prints, `read` parses, and `clausify` takes asserted formulas apart.

mod clausify;
mod read;
mod write;

pub use read::{ParseError, from_smtlib};
pub use write::{to_certificate, to_smtlib};
