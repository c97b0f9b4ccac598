//! `bench csmith`: the interpreter against gcc, on random programs.

use super::Bench;
use crate::csmith::{self, CLASSES, Program};
use crate::job::{End, Job, Reply, Source};
use crate::pool;
use crate::report::Report;
use crate::table::Table;
use crate::worker::{Limits, Worker};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Programs whose seeds are this far apart never meet.
const STEP: u64 = 10_000_000;
const MAX_STEPS: u64 = 3_000_000_000;

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    program: Program,
    verdict: Verdict,
}

#[derive(Clone, Serialize, Deserialize)]
enum Verdict {
    Agree,
    Differ(String),
    Unknown(String),
}

struct Task {
    class: usize,
    first_seed: u64,
}

pub fn run(bench: &Bench, count: usize) -> Result<Report, String> {
    let headers =
        csmith::headers().ok_or("csmith.h not found (Debian: packages csmith and libcsmith-dev)")?;
    let mut store = bench.store("csmith")?;
    // The promised programs go round the classes; the extra classes get a tenth on top.
    let promised: Vec<usize> = (0..CLASSES.len()).filter(|&c| !CLASSES[c].extra).collect();
    let extra = (0..CLASSES.len()).filter(|&c| CLASSES[c].extra).flat_map(|c| vec![c; count / 10]);
    let classes = (0..count).map(|i| promised[i % promised.len()]).chain(extra);
    let tasks: Vec<Task> = classes
        .enumerate()
        .map(|(i, class)| Task { class, first_seed: bench.seed * 1_000_000 + i as u64 })
        .collect();
    let key = |task: &Task| format!("{} {}", CLASSES[task.class].name, task.first_seed);
    let mut done: Vec<(usize, Record)> = Vec::new();
    let mut todo = Vec::new();
    for task in tasks {
        match store.get(&key(&task)) {
            Some(record) => done.push((task.class, record)),
            None => todo.push(task),
        }
    }
    let saved = bench.results.join("csmith-differ");
    std::fs::create_dir_all(&saved).map_err(|e| e.to_string())?;
    let limits = Limits { time: Duration::from_secs(300), memory_kib: 2 << 20 };
    let scratch = bench.scratch("csmith-scratch")?;
    let each = |worker: &mut Worker, task: &Task| one(worker, task, &scratch, &headers, &saved);
    let mut bad = 0;
    let mut failed = None;
    pool::run("csmith", bench.jobs, limits, &todo, each, |task, result| match result {
        Ok(record) => {
            bad += usize::from(!matches!(record.verdict, Verdict::Agree));
            if let Err(e) = store.put(&key(task), &record) {
                eprintln!("bench: {e}");
            }
            done.push((task.class, record));
            format!("{bad} do not agree")
        }
        Err(e) => {
            failed = Some(e.to_string());
            "failed".into()
        }
    });
    let _ = std::fs::remove_dir_all(&scratch);
    match failed {
        Some(message) => Err(message),
        None => Ok(report(&done)),
    }
}

fn one(
    worker: &mut Worker,
    task: &Task,
    scratch: &Path,
    headers: &PathBuf,
    saved: &Path,
) -> std::io::Result<Record> {
    let dir = scratch.join(format!("{}-{}", task.class, task.first_seed));
    std::fs::create_dir_all(&dir)?;
    let program = csmith::usable(&CLASSES[task.class], task.first_seed, STEP, &dir, headers)?;
    let source = dir.join("program.c");
    let job = Job::Interpret {
        source: Source::plain(source.clone(), std::slice::from_ref(headers)),
        max_steps: MAX_STEPS,
    };
    let verdict = match worker.call(&job) {
        Ok(Reply::Ran(ran)) => match ran.end {
            End::Unknown(reason) => Verdict::Unknown(reason),
            End::Code(code) if code == program.code && ran.stdout == program.stdout => Verdict::Agree,
            End::Code(code) => Verdict::Differ(format!(
                "gcc: {} (exit {}), ours: {} (exit {code})",
                program.stdout.trim(),
                program.code,
                ran.stdout.trim()
            )),
            End::Fault(fault) => Verdict::Differ(fault),
        },
        Ok(Reply::Refused(message)) => Verdict::Unknown(message),
        Ok(_) => Verdict::Unknown("unexpected reply".into()),
        Err(failure) => Verdict::Unknown(failure.to_string()),
    };
    if !matches!(verdict, Verdict::Agree) {
        let name = format!("{}-{}.c", CLASSES[task.class].name.replace(' ', "-"), program.seed);
        std::fs::copy(&source, saved.join(name))?;
    }
    std::fs::remove_dir_all(&dir)?;
    Ok(Record { program, verdict })
}

fn report(done: &[(usize, Record)]) -> Report {
    let mut report = Report::default();
    let mut table = Table::new(
        "Interpreter against gcc -fwrapv (-O0 and -O2)",
        &["csmith programs with", "programs", "agree", "differ", "unknown", "skipped seeds"],
    );
    let mut total = [0usize; 5];
    let mut notes = Vec::new();
    for (c, class) in CLASSES.iter().enumerate() {
        let records: Vec<&Record> = done.iter().filter(|(k, _)| *k == c).map(|(_, r)| r).collect();
        let mut row = [records.len(), 0, 0, 0, 0];
        for record in records {
            row[4] += record.program.skipped.len();
            let (column, message) = match &record.verdict {
                Verdict::Agree => (1, None),
                Verdict::Differ(m) => (2, Some(m)),
                Verdict::Unknown(m) => (3, Some(m)),
            };
            row[column] += 1;
            if let Some(message) = message {
                notes.push(format!("`{}` seed {}: {message}", class.name, record.program.seed));
            }
        }
        let name = if class.extra { format!("{} (extra)", class.name) } else { class.name.to_string() };
        table.row([name].into_iter().chain(row.map(|n| n.to_string())).collect());
        if !class.extra {
            (0..5).for_each(|i| total[i] += row[i]);
        }
    }
    table.row(["all but extra".to_string()].into_iter().chain(total.map(|n| n.to_string())).collect());
    table.note("Skipped seeds: gcc's program did not end within a second, or its two levels disagree.");
    notes.iter().take(30).for_each(|n| table.note(n.clone()));
    report.tables.push(table);
    let goal = format!("{} of {}", total[0], total[0]);
    report.claim(
        "csmith checksums",
        goal,
        format!("{} of {}", total[1], total[0]),
        total[1] == total[0] && total[0] > 0,
    );
    report
}
