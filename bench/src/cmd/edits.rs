//! `bench edits`: after an edit that means nothing, every fragment must be unchanged.

use super::plan::{Gain, Task, attempts};
use super::{Bench, PROGRAMS, preprocess};
use crate::csmith::{self, CLASSES};
use crate::edit::Edit;
use crate::gcc::Verdicts;
use crate::job::{Compared, Job, Reply, Source};
use crate::report::Report;
use crate::rng::Rng;
use crate::table::Table;
use crate::worker::{Limits, Worker};
use crate::{argv, proc};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Serialize, Deserialize)]
enum Verdict {
    /// So many fragments, all unchanged.
    Unchanged(usize),
    /// The first fragment that is not, and how many more.
    Seen(String),
    Failed(String),
    /// Not an edit: the file offers nothing, or gcc does not take the result.
    Skipped(String),
}

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    kind: usize,
    base: String,
    verdict: Verdict,
}

pub fn run(bench: &Bench, count: usize) -> Result<Report, String> {
    let corpus = corpus(bench)?;
    let mut store = bench.store("edits")?;
    let saved = bench.results.join("edits-seen");
    std::fs::create_dir_all(&saved).map_err(|e| e.to_string())?;
    let scratch = bench.scratch("edits-scratch")?;
    let limits = Limits { time: Duration::from_secs(120), memory_kib: 4 << 20 };
    let each = |worker: &mut Worker, task: &Task| one(worker, task, bench.seed, &corpus, &scratch, &saved);
    let gain = |record: &Record| match record.verdict {
        Verdict::Skipped(_) => Gain::Nothing,
        Verdict::Unchanged(_) => Gain::Right,
        Verdict::Seen(_) | Verdict::Failed(_) => Gain::Wrong,
    };
    let edits = (count, Edit::ALL.len());
    let records = attempts(("edits", bench.jobs, limits), &mut store, edits, Task::key, each, gain);
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(report(&records))
}

/// The files to edit: own programs, csmith programs, and a sample of the benchmarks, preprocessed where they
/// are `.c`.
pub fn corpus(bench: &Bench) -> Result<Vec<Source>, String> {
    let dir = bench.results.join("corpus");
    std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
    let verdicts = Verdicts::open(&bench.results).map_err(|e| e.to_string())?;
    let mut corpus = small_programs(bench, &dir, 40)?;
    for (i, file) in bench.sample(140, 400_000)?.iter().enumerate() {
        if !verdicts.accepts(file).unwrap_or(false) {
            continue;
        }
        if file.name.ends_with(".i") {
            corpus.push(Source::of(file));
            continue;
        }
        let to = dir.join(format!("sample-{}-{i}.i", bench.seed));
        if to.exists() || preprocess(file, &to) {
            corpus.push(Source { path: to, ..Source::of(file) });
        }
    }
    Ok(corpus)
}

/// Own programs and `count` csmith programs, as `.c` files.
pub fn small_programs(bench: &Bench, dir: &Path, count: u64) -> Result<Vec<Source>, String> {
    let headers =
        csmith::headers().ok_or("csmith.h not found (Debian: packages csmith and libcsmith-dev)")?;
    let mut sources = Vec::new();
    for (name, text) in PROGRAMS {
        let path = dir.join(format!("{name}.c"));
        std::fs::write(&path, text).map_err(|e| e.to_string())?;
        sources.push(Source::plain(path, &[]));
    }
    let classes: Vec<_> = CLASSES.iter().filter(|c| !c.extra).collect();
    for i in 0..count {
        let seed = bench.seed * 1000 + 500 + i;
        let class = classes[i as usize % classes.len()];
        let path = dir.join(format!("csmith-{}-{seed}.c", class.name.replace(' ', "-")));
        if !path.exists() {
            let half = path.with_extension("part");
            if !csmith::generate(class, seed, &half).map_err(|e| e.to_string())? {
                continue;
            }
            std::fs::rename(half, &path).map_err(|e| e.to_string())?;
        }
        sources.push(Source::plain(path, std::slice::from_ref(&headers)));
    }
    Ok(sources)
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
    let Some(base) = rng.pick(corpus) else {
        return Record { kind, base: String::new(), verdict: Verdict::Skipped("no corpus".into()) };
    };
    let name = base.path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
    let verdict = edited(Edit::ALL[kind], &mut rng, base, &task.key(), scratch)
        .and_then(|new| compare(worker, base, new, saved, &format!("{}-{name}", task.key())))
        .unwrap_or_else(Verdict::Skipped);
    Record { kind, base: name, verdict }
}

/// The edited file; an error if there is nothing to edit or gcc does not accept the result.
fn edited(edit: Edit, rng: &mut Rng, base: &Source, task: &str, scratch: &Path) -> Result<PathBuf, String> {
    let text = std::fs::read_to_string(&base.path).map_err(|e| e.to_string())?;
    if text.contains("__LINE__") {
        return Err("the program uses its line numbers".into());
    }
    let new = edit.apply(&text, rng).ok_or("nothing to edit")?;
    let extension = base.path.extension().map_or("c".into(), |e| e.to_string_lossy().into_owned());
    let path = scratch.join(format!("{task}.{extension}"));
    std::fs::write(&path, new).map_err(|e| e.to_string())?;
    let mut argv = argv!["gcc", "-fsyntax-only", "-w", "-x", "c", if base.ilp32 { "-m32" } else { "-m64" }];
    argv.extend(base.includes.iter().map(|dir| format!("-I{}", dir.display())));
    argv.push(path.display().to_string());
    let ran = proc::run(&argv, Duration::from_secs(60)).map_err(|e| e.to_string())?;
    if ran.ok() {
        Ok(path)
    } else {
        Err(format!("gcc: {}", ran.stderr.lines().find(|l| l.contains("error")).unwrap_or("")))
    }
}

fn compare(
    worker: &mut Worker,
    base: &Source,
    new: PathBuf,
    saved: &Path,
    name: &str,
) -> Result<Verdict, String> {
    // Complete programs also run in both versions: an edit that changes the behaviour would be a bug of this
    // test.
    let max_steps = base.path.extension().is_some_and(|e| e == "c").then_some(25_000_000);
    let new_source = Source { path: new.clone(), ..base.clone() };
    let job = Job::Compare { old: base.clone(), new: new_source, max_steps };
    let verdict = match worker.call(&job) {
        Ok(Reply::Compared(compared)) => judge(&compared),
        Ok(Reply::Refused(message)) if message.starts_with("old: ") => Verdict::Skipped(message),
        Ok(Reply::Refused(message)) => Verdict::Failed(message),
        Ok(_) => Verdict::Failed("unexpected reply".into()),
        Err(failure) => Verdict::Failed(failure.to_string()),
    };
    if matches!(verdict, Verdict::Seen(_) | Verdict::Failed(_)) {
        let keep =
            |from: &Path, name: String| std::fs::copy(from, saved.join(name)).map_err(|e| e.to_string());
        keep(&base.path, format!("old-{name}"))?;
        keep(&new, format!("new-{name}"))?;
    }
    std::fs::remove_file(new).map_err(|e| e.to_string())?;
    Ok(verdict)
}

fn judge(compared: &Compared) -> Verdict {
    if compared.poisoned {
        return Verdict::Skipped("a function of the file could not be translated".into());
    }
    if let Some((old, new)) = &compared.runs
        && (&old.end, &old.stdout) != (&new.end, &new.stdout)
    {
        return Verdict::Failed("the edit changed the behaviour".into());
    }
    let mut others = compared.rows.iter().filter(|r| !r.is_unchanged());
    match others.next() {
        None => Verdict::Unchanged(compared.rows.len()),
        Some(row) => Verdict::Seen(format!(
            "{} {} {}: {} (and {} more)",
            row.kind,
            row.name,
            row.state,
            row.why,
            others.count()
        )),
    }
}

fn report(records: &[Record]) -> Report {
    let mut report = Report::default();
    let mut table = Table::new(
        "Edits that mean nothing",
        &["edit", "edits", "all unchanged", "something seen", "failed", "fragments"],
    );
    let (mut total, mut right) = (0, 0);
    let mut notes = Vec::new();
    for (k, edit) in Edit::ALL.iter().enumerate() {
        let (mut unchanged, mut seen, mut failed, mut fragments) = (0, 0, 0, 0);
        for record in records.iter().filter(|r| r.kind == k) {
            let message = match &record.verdict {
                Verdict::Unchanged(n) => {
                    unchanged += 1;
                    fragments += n;
                    continue;
                }
                Verdict::Skipped(_) => continue,
                Verdict::Seen(message) => {
                    seen += 1;
                    message
                }
                Verdict::Failed(message) => {
                    failed += 1;
                    message
                }
            };
            notes.push(format!("{} of `{}`: {message}", edit.name(), record.base));
        }
        let edits = unchanged + seen + failed;
        total += edits;
        right += unchanged;
        table.row(
            [edit.name().to_string()]
                .into_iter()
                .chain([edits, unchanged, seen, failed, fragments].map(|n| n.to_string()))
                .collect(),
        );
    }
    notes.iter().take(25).for_each(|n| table.note(n.clone()));
    report.tables.push(table);
    report.claim(
        "edits that mean nothing leave all unchanged",
        format!("{total} of {total}"),
        format!("{right} of {total}"),
        right == total && total > 0,
    );
    report
}
