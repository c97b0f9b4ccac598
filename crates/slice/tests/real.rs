//! Real programs, if there are any at hand: `REPROVE_PROGRAMS` names files and directories, separated by
//! colons.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Row {
    programs: u32,
    edges: usize,
    shares: [slice::Share; 5],
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
        let percent = |s: slice::Share| 100.0 * f64::from(s.removed) / f64::from(s.of.max(1));
        println!(
            "{place}: {} programs, {} edges; gone: {:.1}% of functions, {:.1}% of operations, {:.1}% of calls, {:.1}% of branches (without endings {:.1}% of operations); \
             {:.1} ms on average, at most {:.1} ms ({} edges, {})",
            row.programs,
            row.edges,
            percent(row.shares[0]),
            percent(row.shares[1]),
            percent(row.shares[2]),
            percent(row.shares[3]),
            percent(row.shares[4]),
            row.total.as_secs_f64() * 1e3 / f64::from(row.programs.max(1)),
            row.slowest.0.as_secs_f64() * 1e3,
            row.slowest.2,
            row.slowest.1.display(),
        );
    }
}

fn check(path: &Path, row: &mut Row) -> Option<String> {
    let options = cfront::Options { target: ir::Target::ILP32, ..cfront::Options::default() };
    let program = cfront::compile(&[path.to_owned()], &options).program?;
    let entry = program.find_function("main")?;
    let coarse = slice::slice_with(&program, entry, slice::Options { endings: false });
    let start = Instant::now();
    let sliced = slice::slice(&program, entry);
    let time = start.elapsed();
    for program in [&coarse.program, &sliced.program] {
        if let Err(violations) = ir::verify(program) {
            return violations.first().map(|v| v.to_string());
        }
    }
    let edges = program.functions.iter().filter_map(|f| f.cfa()).map(|cfa| cfa.edges().len()).sum();
    row.programs += 1;
    row.edges += edges;
    row.total += time;
    if time > row.slowest.0 {
        row.slowest = (time, path.to_owned(), edges);
    }
    let removed = sliced.removed;
    let shares =
        [removed.functions, removed.operations, removed.calls, removed.branches, coarse.removed.operations];
    for (sum, share) in row.shares.iter_mut().zip(shares) {
        sum.removed += share.removed;
        sum.of += share.of;
    }
    None
}
