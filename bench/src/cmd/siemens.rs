//! `bench siemens`: the faulty versions of the Siemens programs as upgrade checks.
//!
//! A harness (`harness`) has the base and a version side by side and asserts that one output agrees. With the
//! base in both places nothing can fail; that is verified first, and its results are what the check of a
//! version starts from (`--base`). Where a version is said to be `SAFE`, the interpreter runs its harness on
//! random inputs: no run may fail.

use super::Bench;
use crate::equiv;
use crate::harness;
use crate::job::{Job, Reply, Source};
use crate::pool;
use crate::report::Report;
use crate::sample::Sampled;
use crate::table::Table;
use crate::verify::{Answer, Limits, Outcome, Tool};
use crate::worker::{self, Worker};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Seconds for one harness
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Memory for one harness
    #[arg(long, default_value = "4GiB")]
    memory: String,
    /// Random runs of every harness that is said to be safe
    #[arg(long, default_value_t = 10_000)]
    runs: u64,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Only versions whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// The programs that can be driven without input files, with our drivers.
const DRIVEN: [(&str, &str); 6] = [
    ("print_tokens", include_str!("../../programs/siemens/print_tokens.c")),
    ("print_tokens2", include_str!("../../programs/siemens/print_tokens2.c")),
    ("replace", include_str!("../../programs/siemens/replace.c")),
    ("schedule", include_str!("../../programs/siemens/schedule.c")),
    ("tcas", include_str!("../../programs/siemens/tcas.c")),
    ("tot_info", include_str!("../../programs/siemens/tot_info.c")),
];

/// A version in its harness.
struct Task {
    program: String,
    name: String,
    /// The harness with the base twice.
    base: Source,
    version: Source,
}

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    /// The base against itself.
    base: Outcome,
    scratch: Outcome,
    upgrade: Outcome,
    sampled: Option<Sampled>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    Found,
    Absent,
    UpTo,
    Undecided,
    /// Two answers, or the answer and the interpreter, contradict each other.
    Wrong,
}

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let tool = Tool::find(args.tool.as_deref())?;
    let folder = bench.results.join("siemens-harnesses");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut tasks = tasks(bench.data()?, &folder)?;
    if let Some(text) = &args.only {
        tasks.retain(|task| task.name.contains(text));
    }
    let mut store = bench.store_of("siemens", &tool.hash)?;
    let key = |task: &Task| format!("{} {}s {} {}", task.name, args.limit, args.memory, args.runs);
    let scratch = bench.scratch("siemens-stores")?;
    let each = |worker: &mut Worker, task: &Task| one(&tool, args, bench.seed, worker, task, &scratch);
    let limits = worker::Limits { time: Duration::from_secs(600), memory_kib: 4 << 20 };
    let (mut found, mut wrong) = (0, 0);
    let pool = ("siemens", bench.jobs, limits);
    let records = pool::results(pool, &mut store, &tasks, key, each, |task, record: &Record| {
        match judge(record) {
            Judgement::Found => found += 1,
            Judgement::Wrong => wrong += 1,
            _ => {}
        }
        format!("{found} found, {wrong} wrong; {}", task.name)
    });
    let _ = fs::remove_dir_all(&scratch);
    let results: Vec<(Task, Record)> = tasks.into_iter().zip(records).collect();
    write_tsv(&bench.results.join("siemens.tsv"), &results)?;
    Ok(report(args, &results))
}

/// Writes all harnesses.
fn tasks(data: &Path, folder: &Path) -> Result<Vec<Task>, String> {
    let write = |name: String, base: &Path, version: &Path, driver: &str| {
        let path = folder.join(name);
        let text = harness::harness(base, version, driver)?;
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<Source, String>(Source::plain(path, &[]))
    };
    let mut tasks = Vec::new();
    for pair in equiv::siemens(data)? {
        let Some((program, version)) = pair.name.split_once('/') else { continue };
        let Some((_, driver)) = DRIVEN.iter().find(|(name, _)| *name == program) else { continue };
        tasks.push(Task {
            program: program.to_owned(),
            name: pair.name.clone(),
            base: write(format!("{program}.c"), &pair.old, &pair.old, driver)?,
            version: write(format!("{program}-{version}.c"), &pair.old, &pair.new, driver)?,
        });
    }
    if tasks.is_empty() { Err("no versions".into()) } else { Ok(tasks) }
}

fn one(tool: &Tool, args: &Args, seed: u64, worker: &mut Worker, task: &Task, scratch: &Path) -> Record {
    let limits = Limits { seconds: args.limit, memory: args.memory.clone() };
    // A store of its own: what other versions left is no part of this check.
    let folder = scratch.join(task.name.replace('/', "-"));
    let store = crate::argv!["--store", folder.display()];
    let base = tool.verify(&task.base, &limits, &store);
    let mut more = store.clone();
    more.extend(crate::argv!["--base", task.base.path.display()]);
    let upgrade = tool.verify(&task.version, &limits, &more);
    let scratch = tool.verify(&task.version, &limits, &crate::argv!["--store", "none"]);
    let _ = fs::remove_dir_all(&folder);
    let job = Job::Sample { source: task.version.clone(), runs: args.runs, seed };
    let sampled = match worker.call(&job) {
        Ok(Reply::Sampled(sampled)) => Some(sampled),
        _ => None,
    };
    Record { base, scratch, upgrade, sampled }
}

fn judge(record: &Record) -> Judgement {
    let answers = [record.upgrade.answer, record.scratch.answer];
    let fails = record.sampled.as_ref().is_some_and(|s| s.failed.is_some());
    let safe = answers.contains(&Answer::Safe);
    if record.base.answer == Answer::Unsafe || safe && (fails || answers.contains(&Answer::Unsafe)) {
        return Judgement::Wrong;
    }
    match record.upgrade.answer {
        Answer::Unsafe => Judgement::Found,
        Answer::Safe => Judgement::Absent,
        Answer::SafeUpTo(_) => Judgement::UpTo,
        _ => Judgement::Undecided,
    }
}

fn report(args: &Args, results: &[(Task, Record)]) -> Report {
    let mut table = Table::new(
        format!("Faulty versions of the Siemens programs as upgrade checks, {} s each", args.limit),
        &[
            "program",
            "versions",
            "base",
            "found",
            "absent",
            "safe up to K",
            "undecided",
            "WRONG",
            "random runs find",
            "upgrade s",
            "from scratch s",
        ],
    );
    let (mut all, mut decided, mut wrong) = (0, 0, 0);
    for (program, _) in DRIVEN {
        let own: Vec<&(Task, Record)> = results.iter().filter(|(t, _)| t.program == program).collect();
        let Some((_, first)) = own.first() else { continue };
        let count = |wanted: Judgement| own.iter().filter(|(_, r)| judge(r) == wanted).count();
        let counts = [
            count(Judgement::Found),
            count(Judgement::Absent),
            count(Judgement::UpTo),
            count(Judgement::Undecided),
            count(Judgement::Wrong),
        ];
        let random = own.iter().filter(|(_, r)| r.sampled.as_ref().is_some_and(|s| s.failed.is_some()));
        let median = |seconds: &dyn Fn(&Record) -> f64| {
            let list: Vec<f64> = own.iter().map(|(_, r)| seconds(r)).collect();
            format!("{:.2}", crate::table::median(&list).unwrap_or(0.0))
        };
        all += own.len();
        decided += counts[0] + counts[1];
        wrong += counts[4];
        let mut cells = vec![program.to_owned(), own.len().to_string(), format!("{:?}", first.base.answer)];
        cells.extend(counts.map(|n| n.to_string()));
        cells.push(random.count().to_string());
        cells.push(median(&|r| r.upgrade.seconds));
        cells.push(median(&|r| r.scratch.seconds));
        table.row(cells);
    }
    table.note(format!(
        "Base: the harness with the base in both places. Found: `UNSAFE`, replayed. Absent: `SAFE`, the output of the driver cannot differ, \
         and no difference in {} random runs of the interpreter. Random runs find: versions whose difference they show. Seconds: \
         medians of whole commands. `space` needs input files and has no driver.",
        args.runs
    ));
    for (task, record) in results {
        if judge(record) == Judgement::Wrong {
            table.note(format!(
                "WRONG: `{}`: base {:?}, upgrade check {:?}, from scratch {:?}, random runs {:?}",
                task.name,
                record.base.answer,
                record.upgrade.answer,
                record.scratch.answer,
                record.sampled.as_ref().and_then(|s| s.failed.as_ref())
            ));
        }
    }
    let mut report = Report::default();
    report.tables.push(table);
    report.claim("answers that contradict each other or the interpreter", "0", wrong.to_string(), wrong == 0);
    let share = format!("{decided} of {all}");
    report.claim("versions whose fault is found or proved absent", "all", share, decided == all);
    let unsampled = results.iter().filter(|(_, r)| {
        let enough = r.sampled.as_ref().is_some_and(|s| s.ended * 2 >= s.runs);
        r.upgrade.answer == Answer::Safe && !enough
    });
    let unsampled = unsampled.count();
    report.claim(
        "safe versions with fewer than half of the runs complete",
        "0",
        unsampled.to_string(),
        unsampled == 0,
    );
    report
}

fn write_tsv(path: &Path, results: &[(Task, Record)]) -> Result<(), String> {
    let mut text =
        String::from("version\tbase\tupgrade\tupgrade s\tscratch\tscratch s\truns ended\trandom\treason\n");
    for (task, record) in results {
        let (ended, failed) = record.sampled.as_ref().map_or((0, None), |s| (s.ended, s.failed.as_ref()));
        let _ = writeln!(
            text,
            "{}\t{:?}\t{:?}\t{:.2}\t{:?}\t{:.2}\t{ended}\t{}\t{}",
            task.name,
            record.base.answer,
            record.upgrade.answer,
            record.upgrade.seconds,
            record.scratch.answer,
            record.scratch.seconds,
            failed.map_or(String::new(), |(run, _)| run.to_string()),
            record.upgrade.reason.replace(['\t', '\n'], " ")
        );
    }
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_must_not_contradict_each_other() {
        let check = |base, scratch, upgrade, fails: bool, expected| {
            let outcome = |answer| Outcome::bare(answer, String::new());
            let failed = fails.then(|| (7, "error-call".to_owned()));
            let sampled = Some(Sampled { runs: 10, ended: 10, failed });
            let record =
                Record { base: outcome(base), scratch: outcome(scratch), upgrade: outcome(upgrade), sampled };
            assert_eq!(judge(&record), expected);
        };
        use Answer::*;
        check(Safe, Unsafe, Unsafe, true, Judgement::Found);
        check(Safe, Time, Unsafe, false, Judgement::Found);
        check(Safe, Safe, Safe, false, Judgement::Absent);
        check(Safe, Safe, Safe, true, Judgement::Wrong);
        check(Safe, Safe, Unsafe, false, Judgement::Wrong);
        check(Safe, Safe, Time, true, Judgement::Wrong);
        check(Unsafe, Unsafe, Unsafe, false, Judgement::Wrong);
        check(Time, Time, SafeUpTo(3), true, Judgement::UpTo);
    }
}
