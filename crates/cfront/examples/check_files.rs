//! Checks preprocessed files and tells how long it took: `check_files [--target ilp32] [--quiet] FILE...`.
//!
//! One line per file: `ok` or `bad`, milliseconds for parsing and for checking, poisoned functions, the path;
//! then the errors.

use base::{Diagnostics, Interner, Severity, SourceMap};
use std::path::Path;
use std::time::Instant;

fn main() {
    let worker = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    if let Ok(worker) = worker {
        let _ = worker.join();
    }
}

fn run() {
    let (mut target, mut quiet, mut poison) = (ir::Target::LP64, false, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &*arg {
            "--target" => {
                target = args.next().and_then(|name| ir::Target::by_name(&name)).unwrap_or(target);
            }
            "--quiet" => quiet = true,
            "--poison" => poison = true,
            path => check(Path::new(path), target, quiet, poison),
        }
    }
}

fn check(path: &Path, target: ir::Target, quiet: bool, poison: bool) {
    let Ok(bytes) = std::fs::read(path) else { return };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut map = SourceMap::new();
    let Ok(id) = map.add(path, text) else { return };
    let (mut names, mut diagnostics) = (Interner::new(), Diagnostics::new());
    let start = Instant::now();
    let unit = cfront::parse::parse(id, &mut map, &mut names, &mut diagnostics);
    let parsed = start.elapsed();
    let hir = cfront::check::check(&unit, &mut names, target, &mut diagnostics);
    let checked = start.elapsed() - parsed;
    let poisoned: Vec<_> =
        hir.functions.iter().filter_map(|f| f.poison.as_ref().map(|p| (&f.name, p))).collect();
    println!(
        "{} {:4} {:4} {:3} {}",
        if diagnostics.has_errors() { "bad" } else { "ok " },
        parsed.as_millis(),
        checked.as_millis(),
        poisoned.len(),
        path.display()
    );
    let show = |span: base::Span| map.locate(span.lo).map_or("?".to_string(), |l| l.to_string());
    if poison {
        for (name, (reason, span)) in poisoned {
            println!("    poisoned {name}: {}: {reason}", show(*span));
        }
    }
    if quiet {
        return;
    }
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        println!("    {}: error: {}", show(diagnostic.span), diagnostic.message);
        for note in &diagnostic.notes {
            println!("        {}: note: {}", show(note.span), note.message);
        }
    }
}
