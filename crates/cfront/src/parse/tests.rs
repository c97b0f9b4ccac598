//! Trees and messages for small sources.

use super::dump::dump;
use super::parse;
use base::{Diagnostics, Interner, Severity, SourceMap, Span};
use std::path::Path;

mod deep;
mod places;

/// Sources with their trees, and sources with what is said about them (and what is left of the tree). Cases
/// are separated by `====`, source and answer by `----`. `UPDATE_GOLDEN=1` rewrites the answers; read the
/// difference.
#[test]
fn golden() {
    for file in ["accepted", "rejected"] {
        let path = format!("{}/src/parse/tests/{file}.txt", env!("CARGO_MANIFEST_DIR"));
        let data = std::fs::read_to_string(&path).unwrap();
        let mut updated = Vec::new();
        for case in data.trim_end().split("\n====\n") {
            let (source, expected) = case.split_once("\n----").unwrap_or((case, ""));
            let outcome = run(source);
            assert_eq!(outcome.messages.is_empty(), file == "accepted", "{source}\n{:?}", outcome.messages);
            let answer: Vec<&str> =
                outcome.messages.iter().map(String::as_str).chain([&*outcome.tree]).collect();
            let answer = answer.join("\n");
            let answer = answer.trim_end();
            if std::env::var_os("UPDATE_GOLDEN").is_none() {
                assert_eq!(answer, expected.trim(), "{source}");
            }
            updated.push(format!("{source}\n----\n{answer}"));
        }
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, updated.join("\n====\n") + "\n").unwrap();
        }
    }
}

/// Runs on a stack as large as the one the front end gets.
fn with_stack<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(1 << 30).spawn(f).unwrap().join().unwrap()
}

struct Outcome {
    tree: String,
    /// `line:column: message`, notes indented below.
    messages: Vec<String>,
}

fn run(text: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let source = sources.add(Path::new("t.i"), text).unwrap();
    let mut names = Interner::new();
    let mut diagnostics = Diagnostics::new();
    let unit = parse(source, &mut sources, &mut names, &mut diagnostics);
    let place = |span: Span| match sources.locate(span.lo) {
        Some(at) => format!("{}:{}: ", at.line, at.column),
        None => String::new(),
    };
    let mut messages = Vec::new();
    for d in diagnostics.iter() {
        let mark = if d.severity == Severity::Warning { "warning: " } else { "" };
        messages.push(format!("{}{mark}{}", place(d.span), d.message));
        messages.extend(d.notes.iter().map(|n| format!("  {}{}", place(n.span), n.message)));
    }
    Outcome { tree: dump(&unit, &names), messages }
}
