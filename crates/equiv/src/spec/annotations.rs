//! Annotations in C sources: comments `/*@ keyword ... @*/`.
//!
//! Comments vanish in preprocessing, so the file is read as it was written. Only the four forms that llreve
//! has are ours; other tools use such comments too, and what is not ours is listed and left alone.

use super::error::{Origin, SpecError};
use super::read::{FreeWords, Read, read_terms};

/// One annotation, with the bytes of the file that it stands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub lo: usize,
    pub hi: usize,
    pub kind: AnnotationKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnnotationKind {
    /// Adds to what is assumed of the inputs: all of these.
    Pre(Vec<Read>),
    /// Replaces the equality of the inputs.
    RelIn(Vec<Read>),
    /// Replaces the equality of the outputs.
    RelOut(Vec<Read>),
    /// Options of llreve, in order.
    Options(Vec<LlreveOption>),
    /// Holds of every two results of this function that has no body.
    FunctionCondition { function: String, condition: Vec<Read> },
    /// Not ours: its first word.
    Other(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LlreveOption {
    /// `-fun f`: the function to compare.
    Function(String, String),
    /// `-couple-functions=f,g`: f of the old version is compared with g of the new one.
    Couple(String, String),
    /// `-assume-equivalent=f,g`.
    AssumeEquivalent(String, String),
    /// Everything else. Nothing depends on it here.
    Ignored(String),
}

/// All annotations of a file, from top to bottom.
pub fn annotations(origin: &Origin) -> Result<Vec<Annotation>, SpecError> {
    comments(&origin.text).into_iter().map(|(lo, hi)| annotation(origin, lo, hi)).collect()
}

/// The insides of the comments that begin with `/*@`, without the `@` at either end.
fn comments(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                let body = at + 2;
                let Some(len) = text[body..].find("*/") else { break };
                if len > 0 && bytes[body] == b'@' {
                    let inside = &text[body + 1..body + len];
                    let hi = body + 1 + inside.strip_suffix('@').unwrap_or(inside).len();
                    found.push((body + 1, hi));
                }
                at = body + len + 2;
            }
            (b'/', Some(b'/')) => at = line_end(bytes, at),
            (quote @ (b'"' | b'\''), _) => at = quoted_end(bytes, at + 1, quote),
            _ => at += 1,
        }
    }
    found
}

/// The end of a line comment; a backslash continues it.
fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += match (bytes[at], bytes.get(at + 1)) {
            (b'\\', Some(b'\n')) => 2,
            (b'\\', Some(b'\r')) if bytes.get(at + 2) == Some(&b'\n') => 3,
            _ => 1,
        };
    }
    at
}

/// Behind a string or character constant. One without an end stops at its line: the compiler complains about
/// it.
fn quoted_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            b if b == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

fn annotation(origin: &Origin, lo: usize, hi: usize) -> Result<Annotation, SpecError> {
    let text = &origin.text[lo..hi];
    let skipped = text.len() - text.trim_start().len();
    let rest = text.trim_start();
    let len = rest.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(rest.len());
    let keyword = &rest[..len];
    let after = lo + skipped + len;
    let terms = || read_terms(origin, after, hi, FreeWords::Refused);
    let kind = match keyword {
        "pre" => AnnotationKind::Pre(terms()?),
        "rel_in" => AnnotationKind::RelIn(terms()?),
        "rel_out" => AnnotationKind::RelOut(terms()?),
        "opt" => AnnotationKind::Options(options(origin, after, hi)?),
        "addfuncond" => {
            let rest = &origin.text[after..hi];
            let start = after + rest.len() - rest.trim_start().len();
            let end = origin.text[start..hi]
                .find(|c: char| c.is_whitespace() || c == '(')
                .map_or(hi, |n| start + n);
            if start == end {
                return Err(origin.error(start, start, "expected the name of a function after 'addfuncond'"));
            }
            AnnotationKind::FunctionCondition {
                function: origin.text[start..end].to_owned(),
                condition: read_terms(origin, end, hi, FreeWords::Allowed)?,
            }
        }
        other => AnnotationKind::Other(other.to_owned()),
    };
    Ok(Annotation { lo, hi, kind })
}

fn options(origin: &Origin, lo: usize, hi: usize) -> Result<Vec<LlreveOption>, SpecError> {
    let mut words = Vec::new();
    let mut at = lo;
    for word in origin.text[lo..hi].split_inclusive(char::is_whitespace) {
        let plain = word.trim_end();
        if !plain.is_empty() {
            words.push((at, at + plain.len(), plain));
        }
        at += word.len();
    }
    let mut list = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some((lo, hi, word)) = words.next() {
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) => (name, Some((lo + name.len() + 1, hi, value))),
            None => (word, None),
        };
        let name = name.trim_start_matches('-');
        let takes_value = matches!(name, "fun" | "couple-functions" | "assume-equivalent");
        if !takes_value {
            list.push(LlreveOption::Ignored(word.to_owned()));
            continue;
        }
        if value.is_none() {
            value = words.next_if(|(_, _, w)| !w.starts_with('-'));
        }
        let Some((lo, hi, value)) = value.filter(|(_, _, v)| !v.is_empty()) else {
            return Err(origin.error(lo, hi, format!("the option '-{name}' needs the name of a function")));
        };
        let pair = value.split_once(',');
        if pair.is_some_and(|(f, g)| f.is_empty() || g.is_empty() || g.contains(',')) {
            return Err(origin.error(lo, hi, format!("'-{name}' takes one function of each version: f,g")));
        }
        let (f, g) = match (name, pair) {
            (_, Some((f, g))) => (f.to_owned(), g.to_owned()),
            ("fun", None) => (value.to_owned(), value.to_owned()),
            _ => {
                return Err(origin.error(
                    lo,
                    hi,
                    format!("'-{name}' takes one function of each version: f,g"),
                ));
            }
        };
        list.push(match name {
            "fun" => LlreveOption::Function(f, g),
            "couple-functions" => LlreveOption::Couple(f, g),
            _ => LlreveOption::AssumeEquivalent(f, g),
        });
    }
    Ok(list)
}
