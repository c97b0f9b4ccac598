//! Diagnostics as data. Nobody but the renderers in `report` turns them into text.

use crate::source::Span;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// What happened, where, and (in the notes) what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    pub notes: Vec<Note>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub span: Span,
    pub message: String,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, span, message: message.into(), notes: Vec::new() }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, span, message: message.into(), notes: Vec::new() }
    }

    /// Adds a note at a place of its own; `Span::NONE` for advice without a place.
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push(Note { span, message: message.into() });
        self
    }
}

/// Collects diagnostics. Keeps at most [`Diagnostics::LIMIT`] errors, and as many others, so that a broken
/// file cannot flood memory.
#[derive(Default, Debug, Clone)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    others: usize,
}

impl Diagnostics {
    pub const LIMIT: usize = 200;

    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            _ => &mut self.others,
        };
        *count += 1;
        if *count <= Self::LIMIT {
            self.list.push(diagnostic);
        }
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// All errors, the ones not kept included.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// So many errors that looking for more is pointless.
    pub fn is_full(&self) -> bool {
        self.errors >= Self::LIMIT
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    pub fn extend(&mut self, other: Diagnostics) {
        let (errors, others) = (self.errors + other.errors, self.others + other.others);
        other.list.into_iter().for_each(|d| self.push(d));
        // What the other one did not keep counts too.
        (self.errors, self.others) = (errors, others);
    }
}
