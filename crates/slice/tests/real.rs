//! Real programs, if there are any at hand: `REPROVE_PROGRAMS` names files and directories, separated by
//! colons.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Row {
    programs: u32,
    edges: usize,
    /// Operations that are other ones in the slice, of all that count.
    removed: usize,
    total: Duration,
    slowest: (Duration, PathBuf, usize),
}

fn sources(path: &Path, list: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        entries.sort();
        entries.iter().for_each(|path| sources(path, list));
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        list.push(path.to_owned());
    }
}

/// Slices stay valid programs; prints how much is gone and how long it took.
#[test]
#[ignore = "needs programs from elsewhere"]
fn real_programs_stay_valid() {
    let places = std::env::var("REPROVE_PROGRAMS").expect("REPROVE_PROGRAMS has folders of programs");
    for place in places.split(':') {
        let mut list = Vec::new();
        sources(Path::new(place), &mut list);
        let mut row = Row::default();
        for path in list {
            let report = cfront::with_stack(|| check(&path, &mut row));
            assert!(matches!(report, Ok(None)), "{}: {report:?}", path.display());
        }
        println!(
            "{place}: {} programs, {} edges, {:.1}% gone; {:.1} ms on average, at most {:.1} ms ({} edges, {})",
            row.programs,
            row.edges,
            100.0 * row.removed as f64 / row.edges.max(1) as f64,
            row.total.as_secs_f64() * 1e3 / f64::from(row.programs.max(1)),
            row.slowest.0.as_secs_f64() * 1e3,
            row.slowest.2,
            row.slowest.1.display(),
        );
    }
}

fn edges(program: &ir::Program) -> impl Iterator<Item = &ir::Edge> {
    program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges())
}

fn check(path: &Path, row: &mut Row) -> Option<String> {
    let options = cfront::Options { target: ir::Target::ILP32, ..cfront::Options::default() };
    let program = cfront::compile(&[path.to_owned()], &options).program?;
    let entry = program.find_function("main")?;
    let start = Instant::now();
    let sliced = slice::slice(&program, entry);
    let time = start.elapsed();
    if let Err(violations) = ir::verify(&sliced) {
        return violations.first().map(|v| v.to_string());
    }
    let (all, kept) = (edges(&program).count(), edges(&sliced).filter(|e| e.op != ir::Op::Skip).count());
    row.programs += 1;
    row.edges += all;
    row.removed += all - kept;
    row.total += time;
    if time > row.slowest.0 {
        row.slowest = (time, path.to_owned(), all);
    }
    None
}
