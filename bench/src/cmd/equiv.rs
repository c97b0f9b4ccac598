//! `bench equiv`: pairs of versions through the binary `reprove`, as a user runs it.
//!
//! Times are those of the whole command, front end and start of the process included. A result is kept with
//! the hash of the binary it was made with, so a run that is interrupted goes on, and no figure is of another
//! build.

use super::Bench;
use crate::equiv::{self, Expected, Pair, own};
use crate::report::Report;
use crate::store::Store;
use crate::table::{Table, percent};
use crate::worker::Limits;
use crate::{pool, proc};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Which pairs: paper, llreve, eqbench, scaling, spacer, siemens, all
    #[arg(long, value_delimiter = ',', default_value = "all")]
    set: Vec<String>,
    /// Only these integers: machine or unbounded [default: those that the set is measured with]
    #[arg(long)]
    int: Option<Ints>,
    /// Seconds for one pair
    #[arg(long, default_value_t = 30)]
    timeout: u64,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Only pairs whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ints {
    Machine,
    Unbounded,
}

impl Ints {
    fn name(self) -> &'static str {
        match self {
            Ints::Machine => "machine",
            Ints::Unbounded => "unbounded",
        }
    }
}

const SETS: [&str; 6] = ["paper", "llreve", "eqbench", "scaling", "spacer", "siemens"];
/// Bytes of address space for one run, in KiB: a pair that needs more is not decided.
const MEMORY: u64 = 16 << 20;

/// One run of the tool.
struct Task {
    pair: Pair,
    ints: Ints,
    /// Only this member of the portfolio.
    member: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Outcome {
    answer: Answer,
    member: Option<String>,
    seconds: f64,
    /// Why there is no answer.
    reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Answer {
    Equivalent,
    Different,
    Unknown,
    /// The files could not be compared.
    Refused,
    Timeout,
    Crash,
}

impl Answer {
    fn name(self) -> &'static str {
        match self {
            Answer::Equivalent => "equivalent",
            Answer::Different => "different",
            Answer::Unknown => "unknown",
            Answer::Refused => "refused",
            Answer::Timeout => "time limit",
            Answer::Crash => "CRASH",
        }
    }

    fn decided(self) -> Option<bool> {
        match self {
            Answer::Equivalent => Some(true),
            Answer::Different => Some(false),
            _ => None,
        }
    }
}

type Results = Vec<(Task, Outcome)>;

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let all = args.set.iter().any(|name| name == "all");
    if let Some(name) = args.set.iter().find(|n| *n != "all" && !SETS.contains(&n.as_str())) {
        return Err(format!("no set is called '{name}': {}, all", SETS.join(", ")));
    }
    let mut runner = Runner::new(bench, args)?;
    let mut report = Report::default();
    for set in SETS.into_iter().filter(|set| all || args.set.iter().any(|name| name == set)) {
        match set {
            "paper" => paper(&mut runner, &mut report)?,
            "llreve" => llreve(&mut runner, &mut report)?,
            "eqbench" => eqbench(&mut runner, &mut report)?,
            "scaling" => scaling(&mut runner, &mut report)?,
            "spacer" => spacer(&mut runner, &mut report)?,
            _ => siemens(&mut runner, &mut report)?,
        }
    }
    Ok(report)
}

fn paper(runner: &mut Runner, report: &mut Report) -> Result<(), String> {
    let mut pairs = equiv::paper(runner.bench.data()?)?;
    pairs.extend(own::reconstructed(&runner.folder)?);
    for ints in runner.ints(&[Ints::Unbounded, Ints::Machine]) {
        let results = runner.set("paper", pairs.iter().map(|pair| machine_aware(pair, ints)))?;
        let title = format!("The paper's pairs, {} integers", ints.name());
        let score = table(report, &title, &results);
        let what = format!("the paper's pairs, {} integers, decided", ints.name());
        score.claim(report, &what, score.pairs);
        if ints == Ints::Unbounded {
            let median = median(&results);
            let measured = format!("{median:.3} s");
            report.claim("median time of the paper's pairs", "0.1 s", measured, median <= 0.1);
        }
        let digits = results.iter().find(|(task, _)| task.pair.name.contains("digits10 (a)"));
        if let Some((task, outcome)) = digits {
            let what = format!("digits10 from (a) to (c), {} integers", ints.name());
            let right = judge(task, outcome) == Judgement::Right;
            report.claim(&what, task.pair.expected.name(), outcome.answer.name(), right);
        }
    }
    Ok(())
}

/// With machine integers, an overflow may make different what is otherwise the same.
fn machine_aware(pair: &Pair, ints: Ints) -> Task {
    let mut pair = pair.clone();
    if ints == Ints::Machine && pair.expected == Expected::Equivalent {
        pair.expected = Expected::UnlessOverflow;
    }
    Task { pair, ints, member: None }
}

fn llreve(runner: &mut Runner, report: &mut Report) -> Result<(), String> {
    let only = runner.args.int;
    let tasks = equiv::llreve(runner.bench.data()?)?.into_iter().map(|pair| {
        let own = if equiv::needs_machine_integers(&pair) { Ints::Machine } else { Ints::Unbounded };
        Task { pair, ints: only.unwrap_or(own), member: None }
    });
    let results = runner.set("llreve", tasks)?;
    let score = table(report, "llreve", &results);
    score.claim(report, "llreve, decided", 95);
    Ok(())
}

fn eqbench(runner: &mut Runner, report: &mut Report) -> Result<(), String> {
    let (pairs, left_out) = equiv::eqbench(runner.bench.data()?)?;
    for ints in runner.ints(&[Ints::Machine, Ints::Unbounded]) {
        let results = runner.set("eqbench", pairs.iter().map(|pair| machine_aware(pair, ints)))?;
        let score = table(report, &format!("EqBench, {} integers", ints.name()), &results);
        if let Some(table) = report.tables.last_mut() {
            table.note(format!("Left out: {}.", left_out.join("; ")));
        }
        let what = format!("EqBench, {} integers, decided", ints.name());
        score.claim(report, &what, (score.pairs * 9).div_ceil(10));
    }
    Ok(())
}

fn scaling(runner: &mut Runner, report: &mut Report) -> Result<(), String> {
    for ints in runner.ints(&[Ints::Unbounded, Ints::Machine]) {
        let family = own::family(&runner.folder)?;
        let task = |(_, pair): &(usize, Pair)| Task { pair: pair.clone(), ints, member: None };
        // One at a time: what is measured is how time grows.
        let results = runner.sequential("scaling", family.iter().map(task))?;
        let title = format!("barthe2 among loops that are the same, {} integers", ints.name());
        let mut table = Table::new(title, &["loops", "answer", "time", "ms a loop", "member"]);
        let mut times = Vec::new();
        for ((task, outcome), (loops, _)) in results.iter().zip(&family) {
            let right = judge(task, outcome) == Judgement::Right;
            times.push((*loops, outcome.seconds, right));
            table.row(vec![
                loops.to_string(),
                outcome.answer.name().into(),
                format!("{:.2} s", outcome.seconds),
                format!("{:.1}", outcome.seconds * 1000.0 / *loops as f64),
                outcome.member.clone().unwrap_or_default(),
            ]);
        }
        report.tables.push(table);
        let Some((loops, seconds, _)) = times.last().copied() else { continue };
        let all = times.iter().all(|(_, _, right)| *right);
        let what = format!("{loops} loops, {} integers", ints.name());
        report.claim(&what, "under 10 s", format!("{seconds:.2} s"), all && seconds < 10.0);
        if let Some((fewer, before, _)) = times.iter().rev().nth(1).copied() {
            // A power of the size that is 1 if time grows in proportion to it.
            let power = (seconds / before).ln() / (loops as f64 / fewer as f64).ln();
            let what = format!("growth from {fewer} to {loops} loops, {} integers", ints.name());
            report.claim(&what, "linear: power below 1.3", format!("{power:.2}"), all && power < 1.3);
        }
    }
    Ok(())
}

fn spacer(runner: &mut Runner, report: &mut Report) -> Result<(), String> {
    let mut pairs = equiv::paper(runner.bench.data()?)?;
    pairs.extend(own::reconstructed(&runner.folder)?);
    for ints in runner.ints(&[Ints::Unbounded]) {
        let tasks = pairs.iter().flat_map(|pair| {
            [None, Some("spacer")].map(|member| Task { member, ..machine_aware(pair, ints) })
        });
        let results = runner.set("spacer", tasks)?;
        let title = format!("The portfolio against Spacer alone, {} integers", ints.name());
        let header = ["pair", "expected", "portfolio", "time", "member", "spacer", "time"];
        let mut table = Table::new(title, &header);
        let mut decided = [0, 0];
        for both in results.chunks(2) {
            let [(task, ours), (_, theirs)] = both else { continue };
            for (count, outcome) in decided.iter_mut().zip([ours, theirs]) {
                *count += usize::from(judge(task, outcome) == Judgement::Right);
            }
            table.row(vec![
                task.pair.name.clone(),
                task.pair.expected.name().into(),
                ours.answer.name().into(),
                format!("{:.2}", ours.seconds),
                ours.member.clone().unwrap_or_default(),
                theirs.answer.name().into(),
                format!("{:.2}", theirs.seconds),
            ]);
        }
        let total = results.len() / 2;
        table.note(format!(
            "Decided rightly: {} of {total} by the portfolio, {} by Spacer.",
            decided[0], decided[1]
        ));
        report.tables.push(table);
    }
    Ok(())
}

fn siemens(runner: &mut Runner, report: &mut Report) -> Result<(), String> {
    let pairs = equiv::siemens(runner.bench.data()?)?;
    for ints in runner.ints(&[Ints::Machine]) {
        let task = |pair: &Pair| Task { pair: pair.clone(), ints, member: None };
        let results = runner.set("siemens", pairs.iter().map(task))?;
        let score = table(report, &format!("Siemens programs, {} integers", ints.name()), &results);
        score.claim(report, "Siemens programs, decided", 0);
    }
    Ok(())
}

/// How an outcome stands to what is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judgement {
    Right,
    Wrong,
    Undecided,
}

fn judge(task: &Task, outcome: &Outcome) -> Judgement {
    match outcome.answer.decided() {
        None => Judgement::Undecided,
        Some(equivalent) if task.pair.expected.allows(equivalent) => Judgement::Right,
        Some(_) => Judgement::Wrong,
    }
}

struct Score {
    pairs: usize,
    decided: usize,
    wrong: usize,
}

impl Score {
    fn claim(&self, report: &mut Report, what: &str, goal: usize) {
        let measured = format!("{} of {}, {} wrong", self.decided, self.pairs, self.wrong);
        let met = self.decided >= goal && self.wrong == 0;
        report.claim(what, format!("{goal} of {}, none wrong", self.pairs), measured, met);
    }
}

/// Adds the table of a set and counts.
fn table(report: &mut Report, title: &str, results: &Results) -> Score {
    let mut table = Table::new(title, &["pair", "expected", "answer", "time", "member", ""]);
    let mut score = Score { pairs: results.len(), decided: 0, wrong: 0 };
    for (task, outcome) in results {
        let judgement = judge(task, outcome);
        score.decided += usize::from(judgement != Judgement::Undecided);
        score.wrong += usize::from(judgement == Judgement::Wrong);
        let remark = match judgement {
            Judgement::Right => String::new(),
            Judgement::Wrong => "WRONG".to_owned(),
            Judgement::Undecided => outcome.reason.chars().take(70).collect(),
        };
        table.row(vec![
            task.pair.name.clone(),
            task.pair.expected.name().into(),
            outcome.answer.name().into(),
            format!("{:.2}", outcome.seconds),
            outcome.member.clone().unwrap_or_default(),
            remark,
        ]);
    }
    let share = percent(score.decided, score.pairs);
    let total: f64 = results.iter().map(|(_, outcome)| outcome.seconds).sum();
    table.note(format!(
        "{} of {} decided ({share}), {} wrong; median {:.3} s, together {total:.0} s.",
        score.decided,
        score.pairs,
        score.wrong,
        median(results)
    ));
    for (task, _) in results {
        if let Some(note) = &task.pair.note {
            table.note(format!("{}: {note}.", task.pair.name));
        }
    }
    report.tables.push(table);
    score
}

/// Of all pairs, those without an answer included.
fn median(results: &Results) -> f64 {
    let times: Vec<f64> = results.iter().map(|(_, outcome)| outcome.seconds).collect();
    crate::table::median(&times).unwrap_or(0.0)
}

/// Runs the binary, and keeps what came out.
struct Runner<'a> {
    bench: &'a Bench,
    args: &'a Args,
    tool: PathBuf,
    store: Store,
    /// For programs of our own.
    folder: PathBuf,
}

impl<'a> Runner<'a> {
    fn new(bench: &'a Bench, args: &'a Args) -> Result<Runner<'a>, String> {
        let tool = match &args.tool {
            Some(tool) => tool.clone(),
            None => {
                let own = std::env::current_exe().map_err(|e| format!("own binary: {e}"))?;
                own.with_file_name("reprove")
            }
        };
        let hint = "build it with 'cargo build --release -p cli', or name it by --tool";
        let binary = fs::read(&tool).map_err(|e| format!("{}: {e}; {hint}", tool.display()))?;
        let hash = blake3::hash(&binary).to_hex()[..16].to_string();
        let store = bench.store_of("equiv", &hash)?;
        let folder = bench.scratch("equiv-programs")?;
        Ok(Runner { bench, args, tool, store, folder })
    }

    /// The integers that are asked for, or those that belong to the set.
    fn ints(&self, usual: &[Ints]) -> Vec<Ints> {
        self.args.int.map_or(usual.to_vec(), |only| vec![only])
    }

    fn set(&mut self, name: &str, tasks: impl IntoIterator<Item = Task>) -> Result<Results, String> {
        self.tasks(name, self.bench.jobs, tasks)
    }

    fn sequential(&mut self, name: &str, tasks: impl IntoIterator<Item = Task>) -> Result<Results, String> {
        self.tasks(name, 1, tasks)
    }

    fn tasks(
        &mut self,
        name: &str,
        jobs: usize,
        tasks: impl IntoIterator<Item = Task>,
    ) -> Result<Results, String> {
        let wanted = |task: &Task| self.args.only.as_ref().is_none_or(|text| task.pair.name.contains(text));
        let tasks: Vec<Task> = tasks.into_iter().filter(wanted).collect();
        let limit = self.args.timeout;
        let key = |task: &Task| {
            let member = task.member.unwrap_or("all");
            format!("{} {} {member} {limit}s", task.pair.name, task.ints.name())
        };
        let tool = &self.tool;
        let (mut undecided, mut wrong) = (0, 0);
        let pool = (name, jobs, Limits { time: Duration::MAX, memory_kib: MEMORY });
        let each = |_: &mut crate::worker::Worker, task: &Task| compare(tool, task, limit);
        let outcomes = pool::results(pool, &mut self.store, &tasks, key, each, |task, outcome| {
            match judge(task, outcome) {
                Judgement::Right => {}
                Judgement::Wrong => wrong += 1,
                Judgement::Undecided => undecided += 1,
            }
            format!("{undecided} undecided, {wrong} wrong; {}", task.pair.name)
        });
        let results: Results = tasks.into_iter().zip(outcomes).collect();
        let mode = self.args.int.map_or("", Ints::name);
        write_tsv(&self.bench.results.join(format!("equiv-{name}{mode}.tsv")), &results)?;
        Ok(results)
    }
}

fn write_tsv(path: &Path, results: &Results) -> Result<(), String> {
    let mut text = String::from("pair\tintegers\tmembers\texpected\tanswer\tseconds\tmember\treason\n");
    for (task, outcome) in results {
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{}\t{:.3}\t{}\t{}",
            task.pair.name,
            task.ints.name(),
            task.member.unwrap_or("all"),
            task.pair.expected.name(),
            outcome.answer.name(),
            outcome.seconds,
            outcome.member.as_deref().unwrap_or(""),
            outcome.reason.replace(['\t', '\n'], " ")
        );
    }
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// What is read of the tool's document.
#[derive(Deserialize)]
struct Document {
    verdict: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    why: Option<Why>,
    #[serde(default)]
    member: Option<String>,
    #[serde(default)]
    diagnostics: Vec<Diagnostic>,
}

/// Why nobody knows.
#[derive(Deserialize)]
struct Why {
    kind: String,
}

#[derive(Deserialize)]
struct Diagnostic {
    severity: String,
    message: String,
}

fn compare(tool: &Path, task: &Task, limit: u64) -> Outcome {
    let memory = format!("ulimit -v {MEMORY}; exec \"$@\"");
    let mut argv = crate::argv!["sh", "-c", memory, "sh", tool.display(), "equiv", "--json", "--store=none"];
    argv.extend(crate::argv!["--int", task.ints.name(), "--timeout", limit]);
    argv.extend(task.member.map(|member| format!("--members={member}")));
    argv.extend(crate::argv![task.pair.old.display(), task.pair.new.display()]);
    // The tool keeps its own limit; one that does not come back is ended.
    let ran = match proc::run(&argv, Duration::from_secs(limit + 10)) {
        Ok(ran) => ran,
        Err(e) => {
            let reason = format!("cannot be run: {e}");
            return Outcome { answer: Answer::Crash, member: None, seconds: 0.0, reason };
        }
    };
    let document: Option<Document> = serde_json::from_str(&ran.stdout).ok();
    let (answer, reason) = match (&document, ran.code) {
        _ if ran.timed_out => (Answer::Timeout, "did not keep its time limit".to_owned()),
        (Some(document), code) => classify(document, code),
        (None, code) => {
            let last = ran.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            (Answer::Crash, format!("{code:?}: {last}"))
        }
    };
    let member = document.and_then(|document| document.member);
    Outcome { answer, member, seconds: ran.time.as_secs_f64(), reason }
}

/// The verdict must fit the exit code.
fn classify(document: &Document, code: Option<i32>) -> (Answer, String) {
    let reason = document.reason.clone().unwrap_or_default();
    match (document.verdict.as_deref(), code) {
        (Some("EQUIVALENT"), Some(0)) => (Answer::Equivalent, reason),
        (Some("NOT EQUIVALENT"), Some(1)) => (Answer::Different, reason),
        (Some("UNKNOWN"), Some(3)) if document.why.as_ref().is_some_and(|why| why.kind == "time") => {
            (Answer::Timeout, reason)
        }
        (Some("UNKNOWN"), Some(3)) => (Answer::Unknown, reason),
        (None, Some(2)) => {
            let error = document.diagnostics.iter().find(|d| d.severity == "error");
            (Answer::Refused, error.map(|d| d.message.clone()).unwrap_or_default())
        }
        (verdict, code) => (Answer::Crash, format!("verdict {verdict:?} with exit code {code:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_exit_codes() {
        let check = |json: &str, code: i32, expected: (Answer, &str)| {
            let document: Document = serde_json::from_str(json).unwrap();
            let (answer, reason) = classify(&document, Some(code));
            assert_eq!((answer, reason.as_str()), expected, "{json}");
        };
        check(r#"{"verdict": "EQUIVALENT", "member": "candidates"}"#, 0, (Answer::Equivalent, ""));
        check(r#"{"verdict": "NOT EQUIVALENT"}"#, 1, (Answer::Different, ""));
        check(r#"{"verdict": "UNKNOWN", "reason": "floats"}"#, 3, (Answer::Unknown, "floats"));
        check(
            r#"{"verdict": "UNKNOWN", "reason": "time limit reached", "why": {"kind": "time"}}"#,
            3,
            (Answer::Timeout, "time limit reached"),
        );
        let refused = r#"{"diagnostics": [{"severity": "error", "message": "no common function"}]}"#;
        check(refused, 2, (Answer::Refused, "no common function"));
        let bad = (Answer::Crash, "verdict Some(\"EQUIVALENT\") with exit code Some(3)");
        check(r#"{"verdict": "EQUIVALENT"}"#, 3, bad);
    }

    #[test]
    fn answers_are_judged_by_what_is_expected() {
        let check = |expected, answer, judgement| {
            let pair = Pair { name: "p".into(), old: "a".into(), new: "b".into(), expected, note: None };
            let task = Task { pair, ints: Ints::Machine, member: None };
            let outcome = Outcome { answer, member: None, seconds: 0.0, reason: String::new() };
            assert_eq!(judge(&task, &outcome), judgement, "{expected:?} {answer:?}");
        };
        check(Expected::Equivalent, Answer::Equivalent, Judgement::Right);
        check(Expected::Equivalent, Answer::Different, Judgement::Wrong);
        check(Expected::Different, Answer::Equivalent, Judgement::Wrong);
        check(Expected::UnlessOverflow, Answer::Different, Judgement::Right);
        check(Expected::UnlessOverflow, Answer::Timeout, Judgement::Undecided);
    }
}
