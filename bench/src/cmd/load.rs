//! `bench load`: what checking a proof costs, and whether a busy machine changes verdicts.
//!
//! Programs are verified one at a time, first alone and then with busy threads beside them. Of those that are
//! decided in less than half of their limit, every verdict has to be the same. Of the proofs that are found
//! alone, checking is compared with finding.
//!
//! The programs are those of `green`, with all checks on, and, if there is data, those of the SV-COMP sample.

use super::{Bench, green, svcomp};
use crate::data::Set;
use crate::job::Source;
use crate::report::Report;
use crate::table::Table;
use crate::verify::{Answer, Limits, Outcome, Tool};
use crate::{pool, worker};
use std::hint;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(clap::Args)]
pub struct Args {
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Seconds for one program
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    time: u64,
    /// Memory for one program
    #[arg(long, default_value = "4G")]
    memory: String,
    /// Programs that are tried; those count that are decided in less than half of the time
    #[arg(long, default_value_t = 260)]
    count: usize,
    /// Busy threads
    #[arg(long, default_value_t = 4)]
    busy: usize,
}

struct Task {
    name: String,
    source: Source,
    more: Vec<String>,
}

/// A program, alone and under load.
struct Row {
    name: String,
    alone: Outcome,
    loaded: Outcome,
}

/// Proofs that were found faster are not compared: the clock decides there.
const SHORTEST: f64 = 0.001;
/// Checking in parts of finding: the median, and the most.
const MEDIAN: f64 = 0.5;
const WORST: f64 = 2.0;
const TASKS: usize = 200;

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let tool = Tool::find(args.tool.as_deref())?;
    let mut tasks: Vec<Task> = green::sources()?.into_iter().map(small).collect();
    if let Ok(files) = bench.files(Set::Svcomp2016) {
        tasks.extend(svcomp::sample(files).into_iter().map(|(name, source)| Task {
            name,
            source,
            more: crate::argv!["--store", "none"],
        }));
    }
    tasks.truncate(args.count);
    let limits = Limits { seconds: args.time, memory: args.memory.clone() };
    let alone = each(bench, &tool, &limits, "alone", &tasks)?;
    let soon = |outcome: &Outcome| decided(outcome) && outcome.seconds < limits.seconds as f64 / 2.0;
    let (tasks, alone): (Vec<Task>, Vec<Outcome>) =
        tasks.into_iter().zip(alone).filter(|(_, o)| soon(o)).unzip();
    let over = AtomicBool::new(false);
    let loaded = std::thread::scope(|scope| {
        for _ in 0..args.busy {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let loaded = each(bench, &tool, &limits, &format!("{} busy", args.busy), &tasks);
        over.store(true, Ordering::Relaxed);
        loaded
    })?;
    let rows = tasks.into_iter().zip(alone).zip(loaded);
    let rows: Vec<Row> = rows.map(|((task, alone), loaded)| Row { name: task.name, alone, loaded }).collect();
    Ok(report(args, &rows))
}

fn small((name, source): (String, Source)) -> Task {
    let more = crate::argv!["--store", "none", "--check", green::CHECKS, "--unknown-functions", "havoc"];
    Task { name, source, more }
}

fn decided(outcome: &Outcome) -> bool {
    matches!(outcome.answer, Answer::Safe | Answer::Unsafe)
}

/// Asks about every program that has no result yet. The results are in the order of the programs.
fn each(
    bench: &Bench,
    tool: &Tool,
    limits: &Limits,
    how: &str,
    tasks: &[Task],
) -> Result<Vec<Outcome>, String> {
    let mut store = bench.store_of("load", &tool.hash)?;
    let key = |task: &Task| format!("{how} {} {}s {}", task.name, limits.seconds, limits.memory);
    let one = |_: &mut worker::Worker, task: &Task| tool.verify(&task.source, limits, &task.more);
    let (label, note) = (format!("load, {how}"), |task: &Task, _: &Outcome| task.name.clone());
    let pool = (label.as_str(), bench.timing_jobs, worker::Limits::NONE);
    Ok(pool::results(pool, &mut store, tasks, key, one, note))
}

fn report(args: &Args, rows: &[Row]) -> Report {
    let mut report = Report::default();
    let mut differ = Table::new(
        format!("Decided alone in less than half of {} s, and with {} busy threads", args.time, args.busy),
        &["program", "alone", "s", "busy", "s"],
    );
    let differs = |row: &&Row| row.alone.answer != row.loaded.answer;
    for row in rows.iter().filter(differs) {
        let of = |o: &Outcome| [format!("{:?} {}", o.answer, o.reason), format!("{:.2}", o.seconds)];
        let [alone, loaded] = [of(&row.alone), of(&row.loaded)];
        differ.row([vec![row.name.clone()], alone.to_vec(), loaded.to_vec()].concat());
    }
    let different = rows.iter().filter(differs).count();
    differ.note(format!("{} programs, {different} with another verdict.", rows.len()));
    report.tables.push(differ);
    let mut shares: Vec<(f64, &str)> = rows.iter().filter_map(share).collect();
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut checking =
        Table::new("Checking a proof in parts of finding it", &["proofs", "median", "worst", "which"]);
    let median = shares.get(shares.len() / 2).map_or(0.0, |s| s.0);
    let (worst, which) = shares.last().copied().unwrap_or((0.0, ""));
    checking.row(vec![
        shares.len().to_string(),
        format!("{median:.2}"),
        format!("{worst:.2}"),
        which.to_owned(),
    ]);
    report.tables.push(checking);
    report.claim("programs decided soon", TASKS.to_string(), rows.len().to_string(), rows.len() >= TASKS);
    report.claim("other verdicts under load", "0", different.to_string(), different == 0);
    report.claim("median of checking", format!("below {MEDIAN}"), format!("{median:.2}"), median < MEDIAN);
    report.claim("worst of checking", format!("at most {WORST}"), format!("{worst:.2}"), worst <= WORST);
    report
}

/// Of a proof whose search can be measured.
fn share(row: &Row) -> Option<(f64, &str)> {
    let (finding, checking) = row.alone.proof.filter(|(finding, _)| *finding >= SHORTEST)?;
    Some((checking / finding, &row.name))
}
