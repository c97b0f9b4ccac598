//! What every other crate stands on: names, source positions, diagnostics as data, budgets.
//!
//! Nothing here knows C or the IR, prints, or exits.

pub mod budget;
pub mod diag;
pub mod intern;
pub mod random;
pub mod source;
pub mod work;

pub use budget::{Budget, Stopped};
pub use diag::{Diagnostic, Diagnostics, Note, Severity};
pub use intern::{Interner, Symbol};
pub use source::{Location, SourceId, SourceMap, Span};
pub use work::Work;
