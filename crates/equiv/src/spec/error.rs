//! What is wrong with a condition, told in terms of the text that the user wrote: where, the line, a caret,
//! and help.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    pub message: String,
    /// Where the text comes from; None if the problem has no place of its own.
    pub place: Option<Place>,
    /// What else there is to say: the names that exist, what to write instead.
    pub notes: Vec<String>,
}

/// A range of a text of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// `--pre`, or the name of a file.
    pub source: String,
    /// From 1; 0 for a text that has no lines of its own (the command line).
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The line itself.
    pub text: String,
    /// How many characters are meant; at least 1.
    pub width: u32,
}

/// A text of the user's, in which problems have offsets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub source: String,
    /// Is it a file, whose lines have numbers?
    pub is_file: bool,
    pub text: std::sync::Arc<str>,
}

impl SpecError {
    pub fn new(message: impl Into<String>) -> SpecError {
        SpecError { message: message.into(), place: None, notes: Vec::new() }
    }

    pub fn note(mut self, note: impl Into<String>) -> SpecError {
        self.notes.push(note.into());
        self
    }
}

impl Origin {
    pub fn option(name: &str, text: &str) -> Origin {
        Origin { source: name.to_owned(), is_file: false, text: text.into() }
    }

    pub fn file(name: &str, text: &str) -> Origin {
        Origin { source: name.to_owned(), is_file: true, text: text.into() }
    }

    /// An error about bytes `lo..hi` of the text.
    pub fn error(&self, lo: usize, hi: usize, message: impl Into<String>) -> SpecError {
        SpecError { message: message.into(), place: Some(self.place(lo, hi)), notes: Vec::new() }
    }

    /// Offsets behind the end or inside a character mean the next character before them.
    pub fn place(&self, lo: usize, hi: usize) -> Place {
        let floor = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (lo, hi) = (floor(lo), floor(hi));
        let start = self.text[..lo].rfind('\n').map_or(0, |i| i + 1);
        let end = self.text[lo..].find('\n').map_or(self.text.len(), |i| lo + i);
        let line = self.text[..start].matches('\n').count() as u32 + 1;
        Place {
            source: self.source.clone(),
            line: if self.is_file { line } else { 0 },
            column: self.text[start..lo].chars().count() as u32 + 1,
            text: self.text[start..end].trim_end().to_owned(),
            width: (self.text[lo..hi.clamp(lo, end)].chars().count() as u32).max(1),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.source),
            line => write!(f, "{}:{line}:{}", self.source, self.column),
        }
    }
}

/// Several lines: the message, the text with a caret, the notes.
impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(place) = &self.place {
            // Tabs stay tabs, so that the caret stands below its character.
            let before = place.text.chars().take(place.column as usize - 1);
            let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let carets = "^".repeat(place.width as usize);
            write!(f, "{place}: {}\n  {}\n  {indent}{carets}", self.message, place.text)?;
        } else {
            f.write_str(&self.message)?;
        }
        for note in &self.notes {
            write!(f, "\n  {note}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecError {}
