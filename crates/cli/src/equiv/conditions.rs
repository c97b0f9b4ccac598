//! Conditions of the user: where they are read from, and how their errors are told.

use crate::console::Console;
use crate::exit::Exit;
use crate::load::{self, Failed, Loaded};
use ::equiv::spec::{Place, SpecError};
use base::{Diagnostic, Diagnostics, SourceMap, Span};
use std::path::Path;

/// The C files of a version, as they were written: annotations are comments, which the preprocessor drops.
pub fn sources(loaded: &Loaded) -> Vec<(String, String)> {
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read(path).ok()?;
        Some((path.display().to_string(), String::from_utf8_lossy(&text).into_owned()))
    };
    let in_c = |path: &&std::path::PathBuf| path.extension().is_none_or(|e| e != "ir");
    loaded.files.iter().map(|input| &input.path).filter(in_c).filter_map(read).collect()
}

/// Shows what is wrong with a condition as the compiler shows what is wrong with a program.
pub fn refuse(console: &Console, error: SpecError) -> Failed {
    let mut sources = SourceMap::new();
    let span = error.place.as_ref().and_then(|place| add(&mut sources, place)).unwrap_or(Span::NONE);
    let diagnostic = Diagnostic::error(span, &error.message);
    let diagnostic = error.notes.iter().fold(diagnostic, |d, note| d.note(Span::NONE, note));
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    Failed { diagnostics: load::tell(&sources, &diagnostics, console), exit: Exit::BadInput }
}

/// The one line that an error is about, as a source of its own with the line's number.
fn add(sources: &mut SourceMap, place: &Place) -> Option<Span> {
    let id = sources.add(Path::new(&place.source), place.text.as_str()).ok()?;
    if place.line > 0 {
        sources.add_marker(id, 0, place.source.as_str().into(), place.line);
    }
    let offset = |characters: u32| {
        let found = place.text.char_indices().nth(characters as usize);
        found.map_or(place.text.len(), |(i, _)| i) as u32
    };
    let start = sources.file(id).start;
    let first = place.column.saturating_sub(1);
    Some(Span::new(start + offset(first), start + offset(first.saturating_add(place.width))))
}
