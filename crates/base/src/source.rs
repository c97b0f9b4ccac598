//! Source texts and positions.
//!
//! All texts of a run share one space of 32-bit positions, so a [`Span`] is eight bytes and needs no file id.
//! Preprocessed text carries line markers (`# 12 "file.c"`); they are recorded here, and
//! [`SourceMap::locate`] answers in terms of the file the user wrote.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A half-open range of positions in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub const NONE: Span = Span { lo: u32::MAX, hi: u32::MAX };

    pub fn new(lo: u32, hi: u32) -> Self {
        Span { lo, hi }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        if self == Span::NONE {
            return other;
        }
        if other == Span::NONE {
            return self;
        }
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub fn is_none(self) -> bool {
        self == Span::NONE
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceId(pub u32);

/// A position as the user knows it: file and line after `#line`, column counted from 1 in bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Location {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// From byte `offset` (the first byte of a line) on, lines are numbered from `line` in `file`.
#[derive(Clone, Debug)]
struct LineMarker {
    offset: u32,
    file: Arc<str>,
    line: u32,
}

#[derive(Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// Position of the first byte.
    pub start: u32,
    line_starts: Vec<u32>,
    markers: Vec<LineMarker>,
}

/// Why a text could not be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLarge;

#[derive(Default, Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text; fails when the 32-bit space of positions is used up.
    pub fn add(&mut self, path: &Path, text: impl Into<Arc<str>>) -> Result<SourceId, TooLarge> {
        let text: Arc<str> = text.into();
        let start = self.files.last().map_or(0, |f| f.start + f.text.len() as u32 + 1);
        let end = u64::from(start) + text.len() as u64;
        if end >= u64::from(u32::MAX) - 1 {
            return Err(TooLarge);
        }
        let mut line_starts = vec![0];
        line_starts.extend(memchr_newlines(text.as_bytes()));
        let id = SourceId(self.files.len() as u32);
        self.files.push(SourceFile {
            path: path.to_path_buf(),
            text,
            start,
            line_starts,
            markers: Vec::new(),
        });
        Ok(id)
    }

    pub fn file(&self, id: SourceId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = SourceId> + use<> {
        (0..self.files.len() as u32).map(SourceId)
    }

    /// Records that the line starting at byte `offset` of `id` is line `line` of `file`. Offsets must ascend.
    pub fn add_marker(&mut self, id: SourceId, offset: u32, file: Arc<str>, line: u32) {
        self.files[id.0 as usize].markers.push(LineMarker { offset, file, line });
    }

    fn file_of(&self, pos: u32) -> Option<&SourceFile> {
        let index = self.files.partition_point(|f| f.start <= pos).checked_sub(1)?;
        let file = &self.files[index];
        (pos - file.start <= file.text.len() as u32).then_some(file)
    }

    /// Where the user wrote `pos`.
    pub fn locate(&self, pos: u32) -> Option<Location> {
        let file = self.file_of(pos)?;
        let offset = pos - file.start;
        let row = file.line_starts.partition_point(|&s| s <= offset) - 1;
        let column = offset - file.line_starts[row] + 1;
        let marker = file.markers.partition_point(|m| m.offset <= offset).checked_sub(1);
        Some(match marker.map(|i| &file.markers[i]) {
            None => Location { file: file.path.to_string_lossy().into(), line: row as u32 + 1, column },
            Some(m) => {
                let marker_row = file.line_starts.partition_point(|&s| s <= m.offset) - 1;
                let line = m.line.saturating_add((row - marker_row) as u32);
                Location { file: m.file.clone(), line, column }
            }
        })
    }

    /// The positions of the line of (preprocessed) text around `pos`, without its newline.
    pub fn line_span(&self, pos: u32) -> Option<Span> {
        let file = self.file_of(pos)?;
        let offset = pos - file.start;
        let row = file.line_starts.partition_point(|&s| s <= offset) - 1;
        let hi = file.line_starts.get(row + 1).map_or(file.text.len() as u32, |&s| s - 1);
        Some(Span::new(file.start + file.line_starts[row], file.start + hi))
    }

    /// The line of (preprocessed) text around `pos`, without its newline.
    pub fn line_text(&self, pos: u32) -> Option<&str> {
        self.snippet(self.line_span(pos)?).map(|line| line.trim_end_matches('\r'))
    }

    pub fn snippet(&self, span: Span) -> Option<&str> {
        let file = self.file_of(span.lo)?;
        file.text.get((span.lo - file.start) as usize..span.hi.checked_sub(file.start)? as usize)
    }
}

fn memchr_newlines(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, markers: &[(u32, &str, u32)], expected: &[(u32, &str)]) {
        let mut map = SourceMap::new();
        map.add(Path::new("first.c"), "x\n").unwrap();
        let id = map.add(Path::new("t.i"), text).unwrap();
        for &(offset, file, line) in markers {
            map.add_marker(id, offset, file.into(), line);
        }
        for &(offset, location) in expected {
            let found = map.locate(map.file(id).start + offset).unwrap();
            assert_eq!(found.to_string(), location, "offset {offset}");
        }
    }

    #[test]
    fn positions_follow_line_markers() {
        check("ab\ncd\nef", &[], &[(0, "t.i:1:1"), (3, "t.i:2:1"), (7, "t.i:3:2"), (8, "t.i:3:3")]);
        check(
            "# 7 \"a.c\"\nx\ny\n# 1 \"b.h\"\nz",
            &[(10, "a.c", 7), (24, "b.h", 1)],
            &[(10, "a.c:7:1"), (12, "a.c:8:1"), (24, "b.h:1:1")],
        );
    }

    #[test]
    fn lines_and_snippets() {
        let mut map = SourceMap::new();
        let id = map.add(Path::new("t.c"), "int x;\r\nint y;\n").unwrap();
        let start = map.file(id).start;
        assert_eq!(map.line_text(start + 2), Some("int x;"));
        assert_eq!(map.line_text(start + 9), Some("int y;"));
        assert_eq!(map.snippet(Span::new(start + 4, start + 5)), Some("x"));
        assert_eq!(map.locate(start + 500), None);
    }
}
