//! `bench mutants`: an edit that the interpreter can tell apart must be seen.
//!
//! Seen means: the changed function is not reported as unchanged, and neither is `main`, whose executions
//! differ.

use super::Bench;
use super::edits::small_programs;
use super::plan::{Gain, Task, attempts};
use crate::job::{Compared, End, Job, Reply, Source};
use crate::mutant::{Mutant, Mutation};
use crate::report::Report;
use crate::rng::Rng;
use crate::table::Table;
use crate::worker::{Limits, Worker};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// Enough for the small programs; a run that needs more tells nothing.
const MAX_STEPS: u64 = 25_000_000;

const LIMITS: Limits = Limits { time: Duration::from_secs(120), memory_kib: 4 << 20 };

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    kind: usize,
    base: String,
    verdict: Verdict,
}

#[derive(Clone, Serialize, Deserialize)]
enum Verdict {
    Seen,
    Missed(String),
    Failed(String),
    /// No mutant, or one that behaves like the original.
    Skipped(String),
}

pub fn run(bench: &Bench, count: usize) -> Result<Report, String> {
    let dir = bench.results.join("corpus");
    std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
    let corpus = ending(small_programs(bench, &dir, 60)?);
    let mut store = bench.store("mutants")?;
    let saved = bench.results.join("mutants-missed");
    std::fs::create_dir_all(&saved).map_err(|e| e.to_string())?;
    let scratch = bench.scratch("mutants-scratch")?;
    let each = |worker: &mut Worker, task: &Task| one(worker, task, bench.seed, &corpus, &scratch, &saved);
    let gain = |record: &Record| match record.verdict {
        Verdict::Skipped(_) => Gain::Nothing,
        Verdict::Seen => Gain::Right,
        Verdict::Missed(_) | Verdict::Failed(_) => Gain::Wrong,
    };
    let mutants = (count, Mutation::ALL.len());
    let records = attempts(("mutants", bench.jobs, LIMITS), &mut store, mutants, Task::key, each, gain);
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(report(&records))
}

/// The programs that end by themselves: with the others, nothing could be told apart. csmith makes some that
/// never do.
fn ending(programs: Vec<Source>) -> Vec<Source> {
    let mut worker = Worker::new(LIMITS);
    let mut ends = |source: &Source| {
        let job = Job::Interpret { source: source.clone(), max_steps: MAX_STEPS };
        matches!(worker.call(&job), Ok(Reply::Ran(ran)) if !matches!(ran.end, End::Unknown(_)))
    };
    programs.into_iter().filter(|source| ends(source)).collect()
}

fn one(
    worker: &mut Worker,
    task: &Task,
    seed: u64,
    corpus: &[Source],
    scratch: &Path,
    saved: &Path,
) -> Record {
    let kind = task.kind;
    let mut rng = Rng::part(seed, task.number());
    let skipped = |base: String, why: &str| Record { kind, base, verdict: Verdict::Skipped(why.into()) };
    let Some(base) = rng.pick(corpus) else { return skipped(String::new(), "no corpus") };
    let name = base.path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
    let Ok(text) = std::fs::read_to_string(&base.path) else { return skipped(name, "unreadable") };
    let Some(mutant) = Mutation::ALL[kind].apply(&text, &mut rng) else {
        return skipped(name, "nothing to mutate");
    };
    let path = scratch.join(format!("{}.c", task.key()));
    if std::fs::write(&path, &mutant.text).is_err() {
        return skipped(name, "cannot write");
    }
    let new = Source { path: path.clone(), ..base.clone() };
    let verdict = match worker.call(&Job::Compare { old: base.clone(), new, max_steps: Some(MAX_STEPS) }) {
        Ok(Reply::Compared(compared)) => judge(&compared, &mutant),
        // The mutant does not compile; that also tells it apart, but not by its executions.
        Ok(Reply::Refused(message)) => Verdict::Skipped(message),
        Ok(_) => Verdict::Failed("unexpected reply".into()),
        Err(failure) => Verdict::Failed(failure.to_string()),
    };
    if matches!(verdict, Verdict::Missed(_) | Verdict::Failed(_)) {
        let _ = std::fs::copy(&base.path, saved.join(format!("old-{}-{name}", task.key())));
        let _ = std::fs::copy(&path, saved.join(format!("new-{}-{name}", task.key())));
    }
    let _ = std::fs::remove_file(&path);
    Record { kind, base: name, verdict }
}

fn judge(compared: &Compared, mutant: &Mutant) -> Verdict {
    let Some((old, new)) = &compared.runs else { return Verdict::Failed("no runs".into()) };
    let known = |end: &End| !matches!(end, End::Unknown(_));
    if !known(&old.end) || !known(&new.end) {
        return Verdict::Skipped("a run without a result".into());
    }
    if (&old.end, &old.stdout) == (&new.end, &new.stdout) {
        return Verdict::Skipped("the same behaviour".into());
    }
    for name in ["main"].into_iter().chain(mutant.function.as_deref()) {
        if compared.rows.iter().any(|r| r.kind == "function" && r.name == name && r.is_unchanged()) {
            return Verdict::Missed(format!("function {name} is said to be unchanged"));
        }
    }
    if compared.rows.iter().all(|r| r.is_unchanged()) {
        return Verdict::Missed("everything is said to be unchanged".into());
    }
    Verdict::Seen
}

fn report(records: &[Record]) -> Report {
    let mut report = Report::default();
    let mut table = Table::new(
        "Edits that mean something",
        &["mutation of", "tried", "told apart", "seen", "missed", "failed"],
    );
    let (mut total, mut right) = (0, 0);
    let mut notes = Vec::new();
    for (k, mutation) in Mutation::ALL.iter().enumerate() {
        let (mut tried, mut seen, mut missed, mut failed) = (0, 0, 0, 0);
        for record in records.iter().filter(|r| r.kind == k) {
            tried += 1;
            let message = match &record.verdict {
                Verdict::Seen => {
                    seen += 1;
                    continue;
                }
                Verdict::Skipped(_) => continue,
                Verdict::Missed(message) => {
                    missed += 1;
                    message
                }
                Verdict::Failed(message) => {
                    failed += 1;
                    message
                }
            };
            notes.push(format!("{} of `{}`: {message}", mutation.name(), record.base));
        }
        let apart = seen + missed;
        total += apart + failed;
        right += seen;
        table.row(
            [mutation.name().to_string()]
                .into_iter()
                .chain([tried, apart, seen, missed, failed].map(|n: usize| n.to_string()))
                .collect(),
        );
    }
    table.note("Told apart: the interpreter gives another output or another end. Seen: neither `main` nor the function that was edited is reported as unchanged.");
    notes.iter().take(25).for_each(|n| table.note(n.clone()));
    report.tables.push(table);
    report.claim(
        "edits that mean something are seen",
        format!("{total} of {total}"),
        format!("{right} of {total}"),
        right == total && total > 0,
    );
    report
}
