//! Lines that begin with `#` in preprocessed text: line markers, pragmas, and what should not be there.

use super::Lexer;
use crate::bytes;
use base::{Diagnostic, Span};
use std::sync::Arc;

/// Directives that a preprocessor may leave behind and that mean nothing to us.
const IGNORED: &[&str] = &["ident", "sccs", "warning"];

impl Lexer<'_> {
    /// Handles the directive at `pos` and moves to the newline that ends it.
    pub(super) fn directive(&mut self) {
        let lo = self.pos;
        let hash = if self.bytes[lo] == b'#' { 1 } else { 2 };
        let hi = self.line_end(lo);
        let text = self.text;
        let body = text[lo + hash..hi].trim_matches([' ', '\t', '\r', '\x0b', '\x0c']);
        self.pos = hi;
        let word_len = body.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(body.len());
        let (word, rest) = body.split_at(word_len);
        if word == "line" {
            self.line_marker(lo, hi, rest);
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            self.line_marker(lo, hi, body);
        } else if word == "pragma" {
            self.pragma(rest, self.start + hi as u32);
        } else if word.is_empty() && body.is_empty() || IGNORED.contains(&word) {
            // The null directive, or one without meaning here.
        } else {
            let message = format!("unexpected preprocessing directive '#{word}' in preprocessed text");
            let mut diagnostic = Diagnostic::error(self.span(lo, hi), message);
            if !std::mem::replace(&mut self.advised, true) {
                diagnostic =
                    diagnostic.note(Span::NONE, "a file that still needs preprocessing must be named '.c'");
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// `12 "file.c" 1 3`: the next line is line 12 of file.c.
    fn line_marker(&mut self, lo: usize, hi: usize, body: &str) {
        let body = body.trim_start();
        let digits = body.find(|c: char| !c.is_ascii_digit()).unwrap_or(body.len());
        let Ok(line) = body[..digits].parse::<u64>() else {
            return self.error(lo, hi, "malformed line marker");
        };
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let name = body[digits..].trim_start();
        let file: Arc<str> = if let Some(quoted) = name.strip_prefix('"') {
            let name = unescape(quoted);
            match &self.marker_file {
                Some(last) if **last == *name => last.clone(),
                _ => Arc::from(name),
            }
        } else {
            match &self.marker_file {
                Some(file) => file.clone(),
                None => self.sources.file(self.source).path.to_string_lossy().into(),
            }
        };
        self.marker_file = Some(file.clone());
        let next_line = (hi + 1).min(self.bytes.len()) as u32;
        self.sources.add_marker(self.source, next_line, file, line);
    }
}

/// The name up to its closing quote. Compilers write `\\`, `\"` and, for odd bytes, octal escapes.
fn unescape(quoted: &str) -> String {
    if let Some(end) = quoted.find(['"', '\\'])
        && quoted.as_bytes()[end] == b'"'
    {
        return quoted[..end].to_string();
    }
    let mut out = Vec::new();
    let mut rest = quoted.bytes().peekable();
    while let Some(b) = rest.next() {
        match b {
            b'"' => break,
            b'\\' => {
                let mut octal = 0u32;
                let mut digits = 0;
                while let Some(d @ b'0'..=b'7') = rest.peek().copied().filter(|_| digits < 3) {
                    octal = octal * 8 + u32::from(d - b'0');
                    digits += 1;
                    rest.next();
                }
                match digits {
                    0 => out.extend(rest.next()),
                    _ => out.push(octal as u8),
                }
            }
            _ => out.push(b),
        }
    }
    bytes::decode(out)
}
