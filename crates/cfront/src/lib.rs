//! C in, IR out: preprocess, parse, check, lower.

pub mod ast;
pub mod bytes;
pub mod hir;
pub mod lex;
pub mod lower;
pub mod models;
pub mod parse;
pub mod preprocess;
pub mod types;
pub mod layout;
pub mod type_name;
