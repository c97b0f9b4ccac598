//! Fuzzes the parser: `fuzz_parse SECONDS SEED FILE-OR-DIR...`.
//!
//! Finds are printed, and kept as `fuzz-find-N.c` in the working directory. The input being tried is always
//! in `fuzz-last.c`, should the process die.

use base::{Diagnostics, Interner, SourceMap};
use cfront::fuzz;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn main() {
    let run = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    let finds = run.expect("a thread can be started").join().expect("panics are caught");
    std::process::exit(i32::from(finds > 0));
}

fn work() -> usize {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (seconds, seed) = (number(0, 10), number(1, 1));
    let mut paths = Vec::new();
    args.iter().skip(2).for_each(|arg| collect(Path::new(arg), &mut paths));
    paths.sort();
    let mut corpus: Vec<Vec<u8>> = paths.iter().filter_map(|p| std::fs::read(p).ok()).collect();
    // Large files only make a run slow.
    corpus.retain(|text| text.len() < 60_000);
    let golden =
        [include_str!("../src/parse/tests/accepted.txt"), include_str!("../src/parse/tests/rejected.txt")];
    for case in golden.iter().flat_map(|data| data.split("\n====\n")) {
        corpus.push(case.split("\n----").next().unwrap_or("").as_bytes().to_vec());
    }
    let before = |input: &[u8]| {
        let _ = std::fs::write("fuzz-last.c", input);
    };
    let report = fuzz::run(&corpus, Duration::from_secs(seconds), seed, before, target);
    for (i, find) in report.finds.iter().enumerate() {
        println!("FIND {i}: {}\n{}\n", find.reason, String::from_utf8_lossy(&find.input));
        let _ = std::fs::write(format!("fuzz-find-{i}.c"), &find.input);
    }
    println!("{} texts, {} mutants, {} finds", corpus.len(), report.runs, report.finds.len());
    report.finds.len()
}

/// Parses, and checks that everything reported has a place.
fn target(input: &[u8]) {
    let mut sources = SourceMap::new();
    let Ok(source) = sources.add(Path::new("fuzz.i"), cfront::bytes::decode(input.to_vec())) else { return };
    let mut diagnostics = Diagnostics::new();
    let unit = cfront::parse::parse(source, &mut sources, &mut Interner::new(), &mut diagnostics);
    for diagnostic in diagnostics.iter() {
        assert!(sources.snippet(diagnostic.span).is_some(), "no place for: {}", diagnostic.message);
        assert!(sources.locate(diagnostic.span.lo).is_some(), "no line for: {}", diagnostic.message);
    }
    drop(unit);
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        entries.flatten().for_each(|entry| collect(&entry.path(), into));
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        into.push(path.to_path_buf());
    }
}
