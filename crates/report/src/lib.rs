//! Results as data in, text out: what a person reads, and the parts of JSON documents that several commands
//! share.
//!
//! Nothing here decides anything, prints, or exits; every function returns text or a value that `serde` can
//! write.

mod diagnostics;
mod place;
mod table;
pub mod witness;

pub use diagnostics::{DiagnosticJson, NoteJson, Renderer};
pub use place::{PlaceJson, SourceLines, source_line};
pub use table::Table;
