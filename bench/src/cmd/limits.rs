//! `bench limits`: all commands on programs that take too long, with random limits of time and memory. How
//! late is the answer, and how much more memory than allowed was taken?

use super::Bench;
use crate::hard::{self, Hard};
use crate::pool;
use crate::proc::{self, Ran};
use crate::report::Report;
use crate::rng::Rng;
use crate::table::Table;
use crate::verify::Tool;
use crate::worker;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Runs with a limit of time, 1 to 10 s
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// Runs with a limit of memory, 100 to 1000 MB
    #[arg(long, default_value_t = 60)]
    memory_runs: usize,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
}

/// Seconds after the limit that are still in time.
const LATE: f64 = 0.5;
/// Times the limit of memory.
const TOO_MUCH: f64 = 1.05;
/// Nobody is waited for longer than this after the limit.
const PATIENCE: Duration = Duration::from_secs(20);
/// With a limit of memory there is also one of time, which ends programs that need little.
const MEMORY_SECONDS: f64 = 30.0;

/// One call of the tool.
struct Task {
    key: String,
    command: String,
    words: Vec<String>,
    seconds: f64,
    megabytes: Option<u64>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    command: String,
    limit: f64,
    seconds: f64,
    megabytes: Option<u64>,
    /// Most that the process held, in bytes.
    peak: u64,
    code: Option<i32>,
    /// What is wrong with what it said, if something is.
    wrong: Option<String>,
}

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let tool = Tool::find(args.tool.as_deref())?;
    let folder = bench.scratch("limits-programs")?;
    let hard = hard::write(&folder).map_err(|e| e.to_string())?;
    certificate(&tool.path, &folder)?;
    let mut store = bench.store("limits")?;
    let mut tasks = Vec::new();
    for (part, count) in [(Part::Time, args.count), (Part::Memory, args.memory_runs)] {
        for i in 0..count {
            let mut rng = Rng::part(bench.seed, i as u64 * 2 + part as u64);
            tasks.push(task(&mut rng, part, i, &hard, &folder, &tool.hash));
        }
    }
    let mut late = 0;
    let each = |_: &mut worker::Worker, task: &Task| {
        measured(&tool.path, task).unwrap_or_else(|why| Record {
            command: task.command.clone(),
            limit: task.seconds,
            seconds: 0.0,
            megabytes: task.megabytes,
            peak: 0,
            code: None,
            wrong: Some(why.to_string()),
        })
    };
    let pool = ("limits", bench.jobs, worker::Limits::NONE);
    let key = |task: &Task| task.key.clone();
    let records = pool::results(pool, &mut store, &tasks, key, each, |_, record: &Record| {
        late += usize::from(record.lateness() > LATE);
        format!("{late} late")
    });
    Ok(report(&records))
}

/// A certificate and its source.
const CERTIFIED: [&str; 2] = ["certificate.json", "certified.c"];

/// Something for `certify` to check.
fn certificate(tool: &Path, folder: &Path) -> Result<(), String> {
    let [certificate, source] = CERTIFIED.map(|name| folder.join(name));
    let text = "#include <assert.h>\nint main(int argc, char **argv) { int i = 0; while (i < argc && i < 9) i++; assert(i <= 9); }\n";
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let argv = crate::argv![
        tool.display(),
        "verify",
        source.display(),
        "--store",
        "none",
        "--certificate",
        certificate.display()
    ];
    let ran = proc::run(&argv, Duration::from_secs(60)).map_err(|e| e.to_string())?;
    if ran.ok() { Ok(()) } else { Err(format!("no certificate: {}{}", ran.stdout, ran.stderr)) }
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Time = 0,
    Memory = 1,
}

fn task(rng: &mut Rng, part: Part, index: usize, hard: &Hard, folder: &Path, tool: &str) -> Task {
    // The last one is large, and the last but one only runs: neither is for everybody.
    let pick = rng.below(hard.pairs.len());
    let (name, old, new) = &hard.pairs[pick];
    let (old, new) = (old.display().to_string(), new.display().to_string());
    let commands: &[&str] = match part {
        Part::Time => &["verify", "verify", "equiv", "run", "diff", "show", "certify", "store", "preprocess"],
        Part::Memory => &["verify", "verify", "equiv", "diff"],
    };
    let command = *rng.pick(commands).unwrap_or(&"verify");
    let store = folder.join(format!("store-{}", rng.below(4))).display().to_string();
    let mut words: Vec<String> = match command {
        "verify" => {
            let mut words = crate::argv!["verify", old, "--no-reuse", "--store", store];
            match rng.below(4) {
                0 => words.extend(crate::argv!["--engine", "bmc"]),
                1 => words.extend(crate::argv!["--engine", "predicate"]),
                2 => words.extend(crate::argv!["--check", "memory,overflow"]),
                _ => {}
            }
            words
        }
        "equiv" => crate::argv!["equiv", "--store=none", old, new],
        "run" => crate::argv!["run", hard.pairs[4].1.display()],
        "diff" => crate::argv!["diff", old, new],
        "show" => {
            crate::argv!["show", rng.pick(&["ir", "cfa", "calls", "fragments"]).unwrap_or(&"ir"), old]
        }
        "store" => crate::argv!["store", "audit", "--store", store],
        "certify" => {
            let cc = format!("sh {}", hard.slow_cc.display());
            let [certificate, source] = CERTIFIED.map(|name| folder.join(name).display().to_string());
            crate::argv!["certify", certificate, source, "--cc", cc]
        }
        _ => crate::argv!["verify", old, "--store", "none", "--cc", format!("sh {}", hard.slow_cc.display())],
    };
    if matches!(command, "verify" | "equiv" | "run" | "diff" | "preprocess") && rng.chance(40) {
        words.push("--json".to_owned());
    }
    let (seconds, megabytes) = match part {
        Part::Time => (1.0 + rng.below(9001) as f64 / 1000.0, None),
        Part::Memory => (MEMORY_SECONDS, Some(100 + rng.below(901) as u64)),
    };
    words.extend(crate::argv!["--timeout", seconds]);
    words.extend(
        megabytes.into_iter().flat_map(|megabytes| crate::argv!["--memory", format!("{megabytes}M")]),
    );
    let key = format!("{tool} {} {index} {name} {}", part as u8, words.join(" "));
    Task { key, command: command.to_owned(), words, seconds, megabytes }
}

fn measured(tool: &Path, task: &Task) -> std::io::Result<Record> {
    let mut argv = crate::argv![tool.display()];
    argv.extend_from_slice(&task.words);
    let (ran, peak) = proc::watched(&argv, Duration::from_secs_f64(task.seconds) + PATIENCE)?;
    Ok(Record {
        command: task.command.clone(),
        limit: task.seconds,
        seconds: ran.time.as_secs_f64(),
        megabytes: task.megabytes,
        peak,
        code: ran.code,
        wrong: wrong(task, &ran),
    })
}

/// A limit is no excuse for half an answer.
fn wrong(task: &Task, ran: &Ran) -> Option<String> {
    let last = ran.stdout.lines().last().unwrap_or_default();
    if !matches!(ran.code, Some(0..=3)) {
        return Some(format!("ends with {:?}", ran.code));
    }
    if task.words.iter().any(|word| word == "--json") {
        let document = serde_json::from_str::<serde_json::Value>(&ran.stdout);
        return document.err().map(|e| format!("no document: {e}"));
    }
    let said = match task.command.as_str() {
        "verify" | "equiv" | "certify" | "preprocess" => last.starts_with("UNKNOWN ("),
        "run" => last.starts_with("stopped: "),
        _ => !ran.stderr.is_empty(),
    };
    (ran.code == Some(3) && !said).then(|| format!("says '{last}'"))
}

impl Record {
    fn lateness(&self) -> f64 {
        (self.seconds - self.limit).max(0.0)
    }

    /// Times the limit.
    fn taken(&self) -> Option<f64> {
        self.megabytes.map(|megabytes| self.peak as f64 / (megabytes << 20) as f64)
    }
}

fn report(records: &[Record]) -> Report {
    let mut report = Report::default();
    let (memory, time): (Vec<&Record>, Vec<&Record>) = records.iter().partition(|r| r.megabytes.is_some());
    let header = ["command", "runs", "limit reached", "median lateness", "largest", "late", "wrong"];
    let mut table = Table::new("Limits of 1 to 10 s", &header);
    let mut commands: Vec<&str> = time.iter().map(|r| r.command.as_str()).collect();
    commands.sort_unstable();
    commands.dedup();
    for command in commands {
        let own: Vec<&&Record> = time.iter().filter(|r| r.command == command).collect();
        let mut late: Vec<f64> = own.iter().filter(|r| r.seconds >= r.limit).map(|r| r.lateness()).collect();
        late.sort_by(f64::total_cmp);
        let seconds = |value: Option<&f64>| value.map_or("-".to_owned(), |value| format!("{value:.2} s"));
        table.row(vec![
            command.to_owned(),
            own.len().to_string(),
            late.len().to_string(),
            seconds(late.get(late.len() / 2)),
            seconds(late.last()),
            late.iter().filter(|late| **late > LATE).count().to_string(),
            own.iter().filter(|r| r.wrong.is_some()).count().to_string(),
        ]);
    }
    report.tables.push(table);
    let mut table =
        Table::new("Limits of 100 to 1000 MB", &["command", "runs", "limit reached", "largest", "above"]);
    for command in ["verify", "equiv", "diff"] {
        let own: Vec<f64> =
            memory.iter().filter(|r| r.command == command).filter_map(|r| r.taken()).collect();
        let largest = own.iter().copied().fold(0.0, f64::max);
        table.row(vec![
            command.to_owned(),
            own.len().to_string(),
            own.iter().filter(|taken| **taken >= 0.95).count().to_string(),
            format!("{largest:.3}"),
            own.iter().filter(|taken| **taken > TOO_MUCH).count().to_string(),
        ]);
    }
    report.tables.push(table);
    let late = time.iter().filter(|r| r.lateness() > LATE).count();
    report.claim(
        &format!("{} runs with a time limit, late by more than {LATE} s", time.len()),
        "none",
        late.to_string(),
        late == 0,
    );
    let above = memory.iter().filter(|r| r.taken().is_some_and(|taken| taken > TOO_MUCH)).count();
    let what = format!("{} runs with a memory limit, above {TOO_MUCH} times the limit", memory.len());
    report.claim(&what, "none", above.to_string(), above == 0);
    let wrong: Vec<&Record> = records.iter().filter(|r| r.wrong.is_some()).collect();
    for record in wrong.iter().take(5) {
        eprintln!(
            "bench: {}, limit {}: {}",
            record.command,
            record.limit,
            record.wrong.as_deref().unwrap_or_default()
        );
    }
    report.claim("answers that are cut off", "none", wrong.len().to_string(), wrong.is_empty());
    report
}
