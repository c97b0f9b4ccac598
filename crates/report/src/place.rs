//! From a span in preprocessed text to a place in the file the user wrote.
//!
//! The source map knows the user's file and line, but counts columns in the preprocessed line, where macros
//! are expanded and comments are gone. The two lines share a prefix and a suffix; what lies between is the
//! part that the preprocessor rewrote. A span outside that part moves over exactly; one inside it is shown as
//! the whole of what the user wrote there, which is the macro call.

use base::{SourceMap, Span};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A place as it appears in JSON documents. Columns count bytes from 1; `end_column` is one past the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlaceJson {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_column: u32,
}

/// A line of a file as the user wrote it, cut if it is long; None if the file cannot be read (any more).
pub fn source_line(file: &str, line: u32) -> Option<String> {
    let mut files = Files::default();
    let text = files.line(&file.into(), line)?;
    Some(window(text.trim_end(), 0..0).0)
}

/// Lines of files as the user wrote them; every file is read once.
#[derive(Default)]
pub struct SourceLines {
    files: Files,
    lines: HashMap<(Arc<str>, u32), Option<String>>,
}

impl SourceLines {
    /// As [`source_line`].
    pub fn get(&mut self, file: &Arc<str>, line: u32) -> Option<&str> {
        let files = &mut self.files;
        let read = || files.line(file, line).map(|text| window(text.trim_end(), 0..0).0);
        self.lines.entry((file.clone(), line)).or_insert_with(read).as_deref()
    }
}

/// One line of source and the part of it to point at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub file: Arc<str>,
    pub line: u32,
    /// Byte column from 1 in the whole line, which `text` may be a cut of.
    pub column: u32,
    pub end_column: u32,
    pub text: String,
    /// Within `text`, on character boundaries, not empty unless at the end of `text`.
    pub marked: Range<usize>,
}

impl Place {
    pub fn json(&self) -> PlaceJson {
        PlaceJson {
            file: self.file.to_string(),
            line: self.line,
            column: self.column,
            end_column: self.end_column,
        }
    }
}

/// The user's files, read when first asked for.
#[derive(Default)]
pub(crate) struct Files {
    texts: HashMap<Arc<str>, Option<String>>,
}

/// Larger files are generated; their preprocessed text is shown instead.
const LARGEST_FILE: u64 = 16 << 20;
/// Lines longer than this are cut to a window around the span.
const LONGEST_LINE: usize = 240;
const BEFORE_SPAN: usize = 80;

impl Files {
    /// Where `span` is, or None for a span that is in no text.
    pub fn place(&mut self, sources: &SourceMap, span: Span) -> Option<Place> {
        if span.is_none() {
            return None;
        }
        let at = sources.locate(span.lo)?;
        let text = sources.line_text(span.lo)?;
        let start = (at.column as usize - 1).min(text.len());
        let end = start + (span.hi.saturating_sub(span.lo) as usize).min(text.len() - start);
        let found =
            self.line(&at.file, at.line).and_then(|own| Some((own, carry_over(text, start..end, own)?)));
        let (line, marked) = found.unwrap_or((text, start..end));
        let marked = widen(line, marked);
        let (column, end_column) = (marked.start as u32 + 1, marked.end as u32 + 1);
        let (text, marked) = window(line, marked);
        Some(Place { file: at.file, line: at.line, column, end_column, text, marked })
    }

    fn line(&mut self, file: &Arc<str>, line: u32) -> Option<&str> {
        let text = self.texts.entry(file.clone()).or_insert_with(|| read(Path::new(&**file))).as_deref()?;
        text.lines().nth(line.checked_sub(1)? as usize)
    }
}

fn read(path: &Path) -> Option<String> {
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > LARGEST_FILE {
        return None;
    }
    std::fs::read_to_string(path).ok()
}

/// The part of the user's line `own` that became `span` of the preprocessed line `text`; None if the lines
/// have so little in common that the user's file is not the one that was preprocessed.
fn carry_over(text: &str, span: Range<usize>, own: &str) -> Option<Range<usize>> {
    if text == own {
        return Some(span);
    }
    let (a, b) = (text.as_bytes(), own.as_bytes());
    let shorter = a.len().min(b.len());
    let mut prefix = (0..shorter).take_while(|&i| a[i] == b[i]).count();
    let mut suffix = (0..shorter - prefix).take_while(|&i| a[a.len() - 1 - i] == b[b.len() - 1 - i]).count();
    // Two names may agree in some letters; what was rewritten starts and ends between tokens.
    while splits_name(a, prefix) || splits_name(b, prefix) {
        prefix -= 1;
    }
    while splits_name(a, a.len() - suffix) || splits_name(b, b.len() - suffix) {
        suffix -= 1;
    }
    if span.end <= prefix {
        return Some(span);
    }
    let moved = |i: usize| i + b.len() - a.len();
    if span.start >= a.len() - suffix {
        return (moved(span.start) <= moved(span.end) && suffix > 0)
            .then(|| moved(span.start)..moved(span.end));
    }
    let rewritten = prefix..b.len() - suffix;
    let word = text.get(span.clone())?;
    let inside = own.get(rewritten.clone())?;
    let whole = |&i: &usize| !splits_name(b, i) && !splits_name(b, i + word.len());
    let mut hits = inside.match_indices(word).map(|(i, _)| rewritten.start + i).filter(whole);
    if let (false, Some(hit), None) = (word.trim().is_empty(), hits.next(), hits.next()) {
        return Some(hit..hit + word.len());
    }
    let mut shown = rewritten.start + (inside.len() - inside.trim_start().len())..rewritten.end;
    shown.end = shown.start + own[shown.clone()].trim_end().len();
    // The closing parenthesis of a macro call is often also in the expansion.
    while b.get(shown.end) == Some(&b')') && is_open(&b[shown.clone()]) {
        shown.end += 1;
    }
    let related = a[..prefix].iter().chain(&a[a.len() - suffix..]).any(|c| !c.is_ascii_whitespace());
    (related && !shown.is_empty()).then_some(shown)
}

fn is_open(text: &[u8]) -> bool {
    let count = |paren| text.iter().filter(|&&c| c == paren).count();
    count(b'(') > count(b')')
}

fn splits_name(text: &[u8], i: usize) -> bool {
    i > 0 && i < text.len() && is_name(text[i - 1]) && is_name(text[i])
}

fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80
}

/// Moves both ends outwards to character boundaries and makes an empty range one character long.
fn widen(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = range.end.clamp(start, text.len());
    if end == start && end < text.len() {
        end += 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Cuts a long line around `marked`.
fn window(text: &str, marked: Range<usize>) -> (String, Range<usize>) {
    const GAP: &str = "...";
    if text.len() <= LONGEST_LINE {
        return (text.to_string(), marked);
    }
    let mut from = marked.start.saturating_sub(BEFORE_SPAN);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut to = (from + LONGEST_LINE).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let before = if from > 0 { GAP } else { "" };
    let after = if to < text.len() { GAP } else { "" };
    let shift = |i: usize| i.clamp(from, to) - from + before.len();
    let marked = shift(marked.start)..shift(marked.end);
    (format!("{before}{}{after}", &text[from..to]), marked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `text` and `own` with the span and the expected part in brackets.
    #[test]
    fn spans_move_to_the_users_line() {
        let check = |text: &str, own: &str| {
            let unbracket = |s: &str| {
                let (start, end) = (s.find('[')?, s.find(']')?);
                Some((s.replace(['[', ']'], ""), start..end - 1))
            };
            let (text, span) = unbracket(text).unwrap();
            let (own, expected) = unbracket(own).map_or((own.to_string(), None), |(s, r)| (s, Some(r)));
            assert_eq!(carry_over(&text, span, &own), expected, "{text} / {own}");
        };
        check("int [x];", "int [x];");
        check("[int] x = 10;", "[int] x = MAX;");
        check("int x = 10 + [y];", "int x = MAX + [y];");
        check("int x = ((1) + ([y]));", "int x = ADD(1, [y]);");
        check("int x = ((1) [+] (2));", "int x = [ADD(1, 2)];");
        check("if (a [&&] b)", "if (a [AND] b)");
        check("x = abcd[e];", "x = [abXYe];");
        check("[int] a;", "completely different");
        check("int a[; ]", "int a[; ]/* comment */");
        check("f( [1] );", "f( /* one */ [1] );");
    }

    #[test]
    fn long_lines_are_cut() {
        let line = format!("{}needle{}", "é".repeat(1000), "x".repeat(100_000));
        let (text, marked) = window(&line, 2000..2006);
        assert_eq!(&text[marked], "needle");
        assert!(text.starts_with("...é") && text.ends_with("x...") && text.len() < 300, "{text}");
        let (text, marked) = window(&line, 2000..line.len());
        assert!(text[marked].starts_with("needlex"));
    }

    #[test]
    fn the_users_file_is_shown_if_it_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, "#define N 10\nint x = N + y;\n").unwrap();
        let mut sources = SourceMap::new();
        let id = sources.add(Path::new("a.i"), "int x = 10 + y;\nint z;\n").unwrap();
        let name: Arc<str> = path.to_string_lossy().into();
        sources.add_marker(id, 0, name.clone(), 2);
        let place = Files::default().place(&sources, Span::new(13, 14)).unwrap();
        assert_eq!((place.file, place.line, place.column), (name, 2, 13));
        assert_eq!((place.text.as_str(), place.marked), ("int x = N + y;", 12..13));
        // Line 3 is not in the file: the preprocessed line must do.
        let place = Files::default().place(&sources, Span::new(20, 21)).unwrap();
        assert_eq!((place.line, place.column, place.text.as_str()), (3, 5, "int z;"));
    }

    #[test]
    fn lines_of_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, "int x;\r\n  int y;").unwrap();
        let check = |line, expected: Option<&str>| {
            assert_eq!(source_line(&path.to_string_lossy(), line).as_deref(), expected);
        };
        check(0, None);
        check(1, Some("int x;"));
        check(2, Some("  int y;"));
        check(3, None);
        assert_eq!(source_line(&folder.path().to_string_lossy(), 1), None);
    }

    proptest! {
        #[test]
        fn no_span_is_out_of_its_line(text in "[ab(é ]{0,12}", own in "[ab(é ]{0,12}", lo in 0usize..14, len in 0usize..14) {
            let start = lo.min(text.len());
            let end = (start + len).min(text.len());
            let line = if let Some(range) = carry_over(&text, start..end, &own) {
                prop_assert!(range.start <= range.end && range.end <= own.len());
                widen(&own, range.clone());
                range
            } else { start..end };
            let long = own.repeat(60);
            let (cut, marked) = window(&long, widen(&long, line));
            prop_assert!(cut.get(marked).is_some());
        }
    }
}
