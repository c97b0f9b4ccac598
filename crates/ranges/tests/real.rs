//! Real programs, if there are any at hand: `REPROVE_PROGRAMS` names files and directories, separated by
//! colons.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn sources(path: &Path, list: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        entries.sort();
        entries.iter().for_each(|path| sources(path, list));
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        list.push(path.to_owned());
    }
}

#[derive(Default)]
struct Row {
    programs: u32,
    edges: usize,
    /// Edges of functions that are reached, and those of them that no execution takes.
    reached: usize,
    cut: usize,
    bounded: usize,
    total: Duration,
    slowest: (Duration, PathBuf, usize),
}

/// Results are inductive; prints how long they take and what they say, with and without slicing.
#[test]
#[ignore = "needs programs from elsewhere"]
fn real_programs() {
    let places = std::env::var("REPROVE_PROGRAMS").expect("REPROVE_PROGRAMS has folders of programs");
    for place in places.split(':') {
        let mut list = Vec::new();
        sources(Path::new(place), &mut list);
        let mut rows = [Row::default(), Row::default()];
        for path in list {
            let report = cfront::with_stack(|| check(&path, &mut rows));
            assert!(matches!(report, Ok(None)), "{}: {report:?}", path.display());
        }
        for (row, what) in rows.iter().zip(["whole", "sliced"]) {
            println!(
                "{place}, {what}: {} programs, {} edges, {} in reached functions, of which {} are never taken; {:.1} bounds a node; \
                 {:.2} ms on average, at most {:.1} ms ({} edges, {})",
                row.programs,
                row.edges,
                row.reached,
                row.cut,
                row.bounded as f64 / row.reached.max(1) as f64,
                row.total.as_secs_f64() * 1e3 / f64::from(row.programs.max(1)),
                row.slowest.0.as_secs_f64() * 1e3,
                row.slowest.2,
                row.slowest.1.display(),
            );
        }
    }
}

fn check(path: &Path, rows: &mut [Row; 2]) -> Option<String> {
    let options = cfront::Options { target: ir::Target::ILP32, ..cfront::Options::default() };
    let program = cfront::compile(&[path.to_owned()], &options).program?;
    let entry = program.find_function("main")?;
    let sliced = slice::slice(&program, entry);
    for (row, program) in rows.iter_mut().zip([&program, &sliced]) {
        let start = Instant::now();
        let ranges = ranges::analyse(program, entry);
        let time = start.elapsed();
        if let Err(reason) = ranges.check(program) {
            return Some(reason);
        }
        let mut edges = 0;
        for f in program.function_ids() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            edges += cfa.edges().len();
            if ranges.at(f, cfa.entry).is_some() {
                row.reached += cfa.edges().len();
                let taken = |e: &&ir::Edge| ranges.at(f, e.from).is_some() && ranges.at(f, e.to).is_some();
                row.cut += cfa.edges().len() - cfa.edges().iter().filter(taken).count();
                row.bounded +=
                    cfa.nodes().filter_map(|n| ranges.at(f, n)).map(|s| s.iter().count()).sum::<usize>();
            }
        }
        row.programs += 1;
        row.edges += edges;
        row.total += time;
        if time > row.slowest.0 {
            row.slowest = (time, path.to_owned(), edges);
        }
    }
    None
}
