//! C in, IR out: preprocess, parse, check, lower.

pub mod ast;
pub mod bytes;
pub mod check;
mod compile;
#[doc(hidden)]
pub mod fuzz;
pub mod hir;
mod interface;
pub mod layout;
pub mod lex;
pub mod lower;
pub mod models;
pub mod parse;
pub mod preprocess;
pub mod type_name;
pub mod types;

pub use compile::{Options, Output, compile, compile_inputs, compile_text, compile_texts, with_stack};
pub use interface::Interface;
pub use lower::{UnknownFunctions, unknown_body};
pub use models::Environment;
pub use preprocess::{Input, Macro, stop_preprocessing};
