//! C in, IR out: preprocess, parse, check, lower.

pub mod ast;
pub mod hir;
pub mod models;
pub mod types;
