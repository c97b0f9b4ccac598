//! Sources that must check, sources that must not, and what they become. Most of what can be said about types
//! and constants is said by `_Static_assert` in the sources themselves.

mod accept;
mod gcc;
mod images;
mod poison;
mod reject;

use crate::hir;
use base::{Diagnostics, Interner, Severity, SourceMap};
use ir::Target;
use std::path::Path;

/// The checked unit, and every error as `line: message`, with its notes as `line: note: message`.
fn check(source: &str, target: Target) -> (hir::Unit, Vec<String>) {
    let source = source.to_string();
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || {
        let (mut map, mut names, mut diagnostics) = (SourceMap::new(), Interner::new(), Diagnostics::new());
        let id = map.add(Path::new("t.c"), source).unwrap();
        let tree = crate::parse::parse(id, &mut map, &mut names, &mut diagnostics);
        let unit = super::check(&tree, &mut names, target, &mut diagnostics);
        let line = |span: base::Span| map.locate(span.lo).map_or(0, |l| l.line);
        let mut errors = Vec::new();
        for d in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
            errors.push(format!("{}: {}", line(d.span), d.message));
            errors.extend(d.notes.iter().map(|n| format!("{}: note: {}", line(n.span), n.message)));
        }
        (unit, errors)
    });
    worker.unwrap().join().unwrap()
}

fn accept(source: &str, target: Target) -> hir::Unit {
    let (unit, errors) = check(source, target);
    assert!(errors.is_empty(), "{}\nin\n{source}", errors.join("\n"));
    unit
}
