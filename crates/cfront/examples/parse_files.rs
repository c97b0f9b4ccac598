//! Parses many preprocessed files and prints what did not parse:
//! `parse_files [--cc] [--quiet] FILE-OR-DIR...`.
//!
//! Files are read as they are unless `--cc` asks for the preprocessor.

use base::{Diagnostics, Interner, Severity, SourceMap};
use cfront::preprocess::{PreprocessOptions, load};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let run = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    let failures = run.expect("a thread can be started").join().expect("the parser does not panic");
    std::process::exit(i32::from(failures > 0));
}

fn work() -> usize {
    let mut paths = Vec::new();
    let (mut cc, mut quiet) = (false, false);
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--cc" => cc = true,
            "--quiet" => quiet = true,
            _ => collect(Path::new(&arg), &mut paths),
        }
    }
    paths.sort();
    let mut failed = 0;
    let mut bytes = 0;
    let mut time = Duration::ZERO;
    for path in &paths {
        let mut sources = SourceMap::new();
        let loaded = if cc {
            load(path, &PreprocessOptions::default(), &mut sources).map_err(|d| d[0].message.clone())
        } else {
            std::fs::read(path).map_err(|e| e.to_string()).and_then(|content| {
                sources.add(path, cfront::bytes::decode(content)).map_err(|_| "too large".to_string())
            })
        };
        let source = match loaded {
            Ok(source) => source,
            Err(message) => {
                println!("{}: {message}", path.display());
                failed += 1;
                continue;
            }
        };
        bytes += sources.file(source).text.len();
        let mut diagnostics = Diagnostics::new();
        let begin = Instant::now();
        let unit = cfront::parse::parse(source, &mut sources, &mut Interner::new(), &mut diagnostics);
        time += begin.elapsed();
        drop(unit);
        if diagnostics.has_errors() {
            failed += 1;
            println!("FAIL {} ({} errors)", path.display(), diagnostics.error_count());
            for d in diagnostics.iter().filter(|d| d.severity == Severity::Error && !quiet).take(3) {
                let at = sources.locate(d.span.lo).map(|l| l.to_string()).unwrap_or_default();
                println!("  {at}: {}", d.message);
                println!("    {}", sources.line_text(d.span.lo).unwrap_or("").trim());
            }
        }
    }
    let seconds = time.as_secs_f64();
    let rate = bytes as f64 / 1e6 / seconds;
    println!(
        "{} files, {failed} failed, {} MB in {seconds:.2} s ({rate:.0} MB/s)",
        paths.len(),
        bytes / 1_000_000
    );
    failed
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        entries.flatten().for_each(|entry| collect(&entry.path(), into));
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        into.push(path.to_path_buf());
    }
}
