//! Diagnostics as a compiler prints them, and as JSON.
//!
//! The first line is `file:line:column: error: message`, which editors can jump to; below it the source line
//! with the span underlined. Advice without a place follows as `= note:`, notes with a place look like the
//! diagnostic.

use crate::place::{Files, Place, PlaceJson};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Snippet};
use base::{Diagnostic, Diagnostics, Severity, SourceMap, Span};
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;

pub struct Renderer<'a> {
    sources: &'a SourceMap,
    files: Files,
    color: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DiagnosticJson {
    pub severity: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteJson>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NoteJson {
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceJson>,
}

impl<'a> Renderer<'a> {
    pub fn new(sources: &'a SourceMap, color: bool) -> Self {
        Renderer { sources, files: Files::default(), color }
    }

    /// All diagnostics and the final count; empty if there is nothing to say.
    pub fn all(&mut self, diagnostics: &Diagnostics) -> String {
        let mut out: String = diagnostics.iter().map(|d| self.one(d)).collect();
        if let Some(count) = count(diagnostics) {
            out += &count;
            out.push('\n');
        }
        out
    }

    pub fn one(&mut self, diagnostic: &Diagnostic) -> String {
        let mut out = String::new();
        let place = self.files.place(self.sources, diagnostic.span);
        self.message(&mut out, diagnostic.severity, place.as_ref(), &diagnostic.message);
        for note in &diagnostic.notes {
            match self.files.place(self.sources, note.span) {
                Some(place) => self.message(&mut out, Severity::Note, Some(&place), &note.message),
                None => {
                    let _ = writeln!(out, "  = {}: {}", self.paint(BOLD, "note"), clean(&note.message));
                }
            }
        }
        out
    }

    pub fn json(&mut self, diagnostics: &Diagnostics) -> Vec<DiagnosticJson> {
        let mut place = |span: Span| self.files.place(self.sources, span).map(|p| p.json());
        let mut list = Vec::new();
        for d in diagnostics.iter() {
            let notes = d.notes.iter();
            list.push(DiagnosticJson {
                severity: name(d.severity),
                message: shorten(&d.message).into_owned(),
                place: place(d.span),
                notes: notes
                    .map(|n| NoteJson { message: shorten(&n.message).into_owned(), place: place(n.span) })
                    .collect(),
            });
        }
        list
    }

    fn message(&self, out: &mut String, severity: Severity, place: Option<&Place>, message: &str) {
        if let Some(p) = place {
            let at = format!("{}:{}:{}: ", clean(&p.file), p.line, p.column);
            out.push_str(&self.paint(BOLD, &at));
        }
        let (color, level) = match severity {
            Severity::Note => (CYAN, Level::NOTE),
            Severity::Warning => (YELLOW, Level::WARNING),
            Severity::Error => (RED, Level::ERROR),
        };
        let _ = writeln!(out, "{}: {}", self.paint(color, name(severity)), self.paint(BOLD, &clean(message)));
        if let Some(p) = place {
            let snippet = Snippet::source(&p.text)
                .line_start(p.line as usize)
                .annotation(AnnotationKind::Primary.span(p.marked.clone()));
            let renderer = match self.color {
                true => annotate_snippets::Renderer::styled(),
                false => annotate_snippets::Renderer::plain(),
            };
            let text =
                renderer.decor_style(DecorStyle::Ascii).render(&[Group::with_level(level).element(snippet)]);
            for line in text.lines().map(str::trim_end) {
                out.push_str(line);
                out.push('\n');
            }
        }
    }

    fn paint(&self, style: &str, text: &str) -> String {
        if self.color { format!("{style}{text}\x1b[0m") } else { text.to_string() }
    }
}

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";

fn name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// Messages quote the input, which may hold anything; a terminal must not obey it.
fn clean(text: &str) -> String {
    shorten(text).chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The names that a message quotes may be of any length.
fn shorten(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 2000;
    const LONGEST_WORD: usize = 400;
    let too_long = |word: &str| word.len() > LONGEST_WORD;
    if text.len() <= LONGEST && !text.split(' ').any(too_long) {
        return text.into();
    }
    let words = text.split(' ').map(|word| match too_long(word) {
        true => {
            let head = word.floor_char_boundary(LONGEST_WORD / 4);
            let tail = word.ceil_char_boundary(word.len() - LONGEST_WORD / 8);
            format!("{}...{}", &word[..head], &word[tail..]).into()
        }
        false => Cow::from(word),
    });
    let mut short = String::new();
    for word in words {
        if short.len() + word.len() > LONGEST {
            short += " ...";
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short += &word;
    }
    short.into()
}

fn count(diagnostics: &Diagnostics) -> Option<String> {
    let shown = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings) = (diagnostics.error_count(), shown(Severity::Warning));
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(plural(errors, "error"));
    }
    if warnings > 0 {
        parts.push(plural(warnings, "warning"));
    }
    let hidden = errors - shown(Severity::Error);
    if hidden > 0 {
        parts.push(format!("{hidden} of them not shown"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn sources(text: &str) -> SourceMap {
        let mut sources = SourceMap::new();
        sources.add(Path::new("t.c"), text).unwrap();
        sources
    }

    fn check(text: &str, diagnostics: &[Diagnostic], expected: &str) {
        let sources = sources(text);
        let mut list = Diagnostics::new();
        diagnostics.iter().for_each(|d| list.push(d.clone()));
        assert_eq!(Renderer::new(&sources, false).all(&list), expected);
    }

    #[test]
    fn errors_look_like_a_compilers() {
        check(
            "int x;\n\tint y = z;\n",
            &[
                Diagnostic::error(Span::new(16, 17), "undeclared name 'z'")
                    .note(Span::new(4, 5), "did you mean 'x'?")
                    .note(Span::NONE, "names must be declared"),
                Diagnostic::warning(Span::new(4, 5), "unused"),
                Diagnostic::error(Span::NONE, "no such file"),
            ],
            "\
t.c:2:10: error: undeclared name 'z'
  |
2 |     int y = z;
  |             ^
t.c:1:5: note: did you mean 'x'?
  |
1 | int x;
  |     ^
  = note: names must be declared
t.c:1:5: warning: unused
  |
1 | int x;
  |     ^
error: no such file
2 errors, 1 warning
",
        );
        check("", &[], "");
        check("", &[Diagnostic::error(Span::NONE, "a\x1b[2Jb")], "error: a\u{fffd}[2Jb\n1 error\n");
    }

    #[test]
    fn spans_at_the_end_and_over_lines() {
        check(
            "int f(",
            &[Diagnostic::error(Span::new(6, 6), "end of file")],
            "t.c:1:7: error: end of file\n  |\n1 | int f(\n  |       ^\n1 error\n",
        );
        check(
            "if (x\n&& y)",
            &[Diagnostic::error(Span::new(4, 11), "no")],
            "t.c:1:5: error: no\n  |\n1 | if (x\n  |     ^\n1 error\n",
        );
    }

    #[test]
    fn a_line_of_100_megabytes_is_cut() {
        let sources = sources(&"x+".repeat(50 << 20));
        let text =
            Renderer::new(&sources, false).one(&Diagnostic::error(Span::new(50_000_000, 50_000_001), "here"));
        assert!(text.starts_with("t.c:1:50000001: error: here\n") && text.len() < 2000, "{}", text.len());
    }

    #[test]
    fn long_names_are_cut() {
        let check = |text: &str, expected: &str| assert_eq!(shorten(text), expected);
        check("use of 'x' here", "use of 'x' here");
        let name = "ä".repeat(50 << 20);
        let expected = format!("no '{}...{}' here", "ä".repeat(49), "ä".repeat(24));
        check(&format!("no '{name}' here"), &expected);
        assert!(shorten(&"word ".repeat(1 << 20)).len() < 2010);
        assert_eq!(shorten(&" ".repeat(5000)), "");
    }

    #[test]
    fn all_errors_are_counted() {
        let sources = sources("x");
        let mut list = Diagnostics::new();
        (0..Diagnostics::LIMIT + 5).for_each(|_| list.error(Span::new(0, 1), "bad"));
        let text = Renderer::new(&sources, false).all(&list);
        assert!(text.ends_with("205 errors, 5 of them not shown\n"));
    }

    #[test]
    fn colour_only_on_request() {
        let sources = sources("x");
        let d = Diagnostic::error(Span::new(0, 1), "bad");
        assert!(Renderer::new(&sources, true).one(&d).contains("\x1b[1;31merror\x1b[0m"));
        assert!(!Renderer::new(&sources, false).one(&d).contains('\x1b'));
    }

    #[test]
    fn json_has_places() {
        let sources = sources("int x;");
        let mut list = Diagnostics::new();
        list.push(Diagnostic::error(Span::new(4, 5), "bad").note(Span::NONE, "why"));
        let json = serde_json::to_string(&Renderer::new(&sources, false).json(&list)).unwrap();
        assert_eq!(
            json,
            r#"[{"severity":"error","message":"bad","place":{"file":"t.c","line":1,"column":5,"end_column":6},"notes":[{"message":"why"}]}]"#
        );
    }
}
