//! `bench svcomp`: programs of SV-COMP 2016 whose names say whether an error is reachable, through `reprove verify`.
//!
//! The sample is fixed by the names of the programs alone, so it is the same for every build and cannot be chosen to please.

use super::Bench;
use crate::data::{CFile, Set};
use crate::job::Source;
use crate::report::Report;
use crate::store::Store;
use crate::table::{Table, percent};
use crate::verify::{Answer, Limits, Outcome, Tool};
use crate::{pool, worker};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Which programs: the sample, or all
    #[arg(long, default_value = "sample", value_parser = ["sample", "all"])]
    set: String,
    /// Seconds for one program
    #[arg(long, default_value_t = 30)]
    limit: u64,
    /// Memory for one program
    #[arg(long, default_value = "4GiB")]
    memory: String,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Only programs whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Only the first so many of them
    #[arg(long, value_name = "N")]
    most: Option<usize>,
}

/// A program with its label.
#[derive(Clone, Debug)]
struct Task {
    class: String,
    name: String,
    file: CFile,
    /// Does the label say that an error is reachable?
    bug: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    Right,
    Wrong,
    Undecided,
}

/// Of every class: so many percent, and at least so many programs.
const SHARE: usize = 26;
const LEAST: usize = 3;
const RULE: &str = "Sample: the labelled programs of each class sorted by name; of n programs k = max(3, 26 % rounded up), at most n, \
     those at positions 0, n/k, 2n/k, … (rounded down).";

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let tool = Tool::find(args.tool.as_deref())?;
    let mut tasks: Vec<Task> = bench.files(Set::Svcomp2016)?.into_iter().filter_map(task).collect();
    let labelled = tasks.len();
    if args.set == "sample" {
        tasks = sample(tasks);
    }
    let whole = tasks.len();
    if let Some(text) = &args.only {
        tasks.retain(|task| task.name.contains(text));
    }
    tasks.truncate(args.most.unwrap_or(usize::MAX));
    if tasks.is_empty() {
        return Err("no such programs".into());
    }
    eprintln!("{RULE}\n{whole} of {labelled} labelled programs; {} are run.", tasks.len());
    let limits = Limits { seconds: args.limit, memory: args.memory.clone() };
    let mut store = Store::open(&bench.results, "svcomp", &tool.hash, bench.fresh)
        .map_err(|e| format!("results: {e}"))?;
    let key = |task: &Task| format!("{} {}s {}", task.name, limits.seconds, limits.memory);
    let todo: Vec<&Task> = tasks.iter().filter(|t| store.get::<Outcome>(&key(t)).is_none()).collect();
    let (mut wrong, mut decided) = (0, 0);
    let none = crate::argv!["--store", "none"];
    let each = |_: &mut worker::Worker, task: &&Task| tool.verify(&Source::of(&task.file), &limits, &none);
    let idle = worker::Limits { time: Duration::MAX, memory_kib: 0 };
    pool::run("svcomp", bench.jobs, idle, &todo, each, |task, outcome| {
        match judge(task.bug, outcome.answer) {
            Judgement::Right => decided += 1,
            Judgement::Wrong => {
                wrong += 1;
                eprintln!("WRONG: {:?} on {}", outcome.answer, task.name);
            }
            Judgement::Undecided => {}
        }
        if let Err(e) = store.put(&key(task), &outcome) {
            eprintln!("bench: {e}");
        }
        format!("{decided} decided, {wrong} wrong; {}", task.name)
    });
    let mut results = Vec::new();
    for task in tasks {
        let outcome = store.get(&key(&task)).ok_or_else(|| format!("{}: no result", task.name))?;
        results.push((task, outcome));
    }
    write_tsv(&bench.results.join(format!("svcomp-{}.tsv", args.set)), &results)?;
    Ok(report(args, &results))
}

/// The program with its label, if it has one for reachability.
fn task(file: CFile) -> Option<Task> {
    let name = file.name.strip_prefix("svcomp2016/").unwrap_or(&file.name).to_owned();
    let (class, base) = name.split_once('/')?;
    let bug = match (base.contains("true-unreach-call"), base.contains("false-unreach-call")) {
        (true, false) => false,
        (false, true) => true,
        _ => return None,
    };
    Some(Task { class: class.to_owned(), name, file, bug })
}

fn sample(tasks: Vec<Task>) -> Vec<Task> {
    let mut classes: BTreeMap<String, Vec<Task>> = BTreeMap::new();
    for task in tasks {
        classes.entry(task.class.clone()).or_default().push(task);
    }
    let mut chosen = Vec::new();
    for (_, mut class) in classes {
        class.sort_by(|a, b| a.name.cmp(&b.name));
        chosen.extend(spread(class.len()).into_iter().map(|i| class[i].clone()));
    }
    chosen
}

/// The positions that are taken of `n` programs.
fn spread(n: usize) -> Vec<usize> {
    let take = (n * SHARE).div_ceil(100).max(LEAST).min(n);
    (0..take).map(|i| i * n / take).collect()
}

fn judge(bug: bool, answer: Answer) -> Judgement {
    match answer {
        Answer::Safe if bug => Judgement::Wrong,
        Answer::Unsafe if !bug => Judgement::Wrong,
        Answer::Safe | Answer::Unsafe => Judgement::Right,
        _ => Judgement::Undecided,
    }
}

#[derive(Default)]
struct Row {
    bugs: usize,
    found: usize,
    safe: usize,
    proved: usize,
    up_to: usize,
    time: usize,
    memory: usize,
    unsupported: usize,
    unconfirmed: usize,
    crashes: usize,
    wrong: usize,
    seconds: Vec<f64>,
}

impl Row {
    fn add(&mut self, task: &Task, outcome: &Outcome) {
        *(if task.bug { &mut self.bugs } else { &mut self.safe }) += 1;
        self.seconds.push(outcome.seconds);
        let slot = match (judge(task.bug, outcome.answer), outcome.answer) {
            (Judgement::Wrong, _) => &mut self.wrong,
            (_, Answer::Unsafe) => &mut self.found,
            (_, Answer::Safe) => &mut self.proved,
            (_, Answer::SafeUpTo(_)) => &mut self.up_to,
            (_, Answer::Time) => &mut self.time,
            (_, Answer::Memory) => &mut self.memory,
            (_, Answer::Unsupported) => &mut self.unsupported,
            (_, Answer::NotConfirmed) => &mut self.unconfirmed,
            (_, Answer::Refused | Answer::Crash) => &mut self.crashes,
        };
        *slot += 1;
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
        let counts = [self.up_to, self.time, self.memory, self.unsupported, self.unconfirmed, self.crashes];
        let mut cells = vec![
            name.to_owned(),
            (self.bugs + self.safe).to_string(),
            format!("{} / {}", self.found, self.bugs),
            format!("{} / {}", self.proved, self.safe),
        ];
        cells.extend(counts.map(|n| n.to_string()));
        cells.push(self.wrong.to_string());
        cells.push(format!("{median:.1}"));
        cells.push(format!("{:.0}", seconds.iter().sum::<f64>()));
        cells
    }
}

fn report(args: &Args, results: &[(Task, Outcome)]) -> Report {
    let mut report = Report::default();
    let title = format!("SV-COMP 2016, {}: {} s and {} each", args.set, args.limit, args.memory);
    let mut table = Table::new(
        title,
        &[
            "class",
            "programs",
            "bugs found",
            "safe proved",
            "safe up to K",
            "time",
            "memory",
            "unsupported",
            "not confirmed",
            "crash",
            "WRONG",
            "median s",
            "total s",
        ],
    );
    let mut total = Row::default();
    let classes: BTreeSet<&str> = results.iter().map(|(task, _)| task.class.as_str()).collect();
    for class in classes {
        let mut row = Row::default();
        for (task, outcome) in results.iter().filter(|(task, _)| task.class == class) {
            row.add(task, outcome);
            total.add(task, outcome);
        }
        table.row(row.cells(class));
    }
    table.row(total.cells("all"));
    if args.set == "sample" {
        table.note(RULE);
    }
    table.note("Every bug that is found was replayed on the interpreter. Safe up to K and the columns after it: `UNKNOWN`, by reason.");
    for (task, outcome) in results.iter().filter(|(t, o)| judge(t.bug, o.answer) == Judgement::Wrong) {
        table.note(format!("WRONG: `{}` is said to be {:?}.", task.name, outcome.answer));
    }
    for note in reasons(results) {
        table.note(note);
    }
    report.tables.push(table);
    let (found, proved) = (percent(total.found, total.bugs), percent(total.proved, total.safe));
    report.claim("wrong verdicts", "0", total.wrong.to_string(), total.wrong == 0);
    let enough = total.found * 100 >= total.bugs * 75;
    report.claim("programs with a bug that is found and replayed", "at least 75 %", found, enough);
    let enough = total.proved * 100 >= total.safe * 25;
    report.claim("safe programs that are fully proved", "at least 25 %", proved, enough);
    report.claim("crashes", "0", total.crashes.to_string(), total.crashes == 0);
    report
}

/// The most frequent reasons for having no answer that are not limits, with a program each.
fn reasons(results: &[(Task, Outcome)]) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (task, outcome) in results {
        let listed = [Answer::Unsupported, Answer::NotConfirmed, Answer::Crash, Answer::Refused]
            .contains(&outcome.answer);
        if listed {
            // Places and quoted names differ; what is wrong is the same.
            let text = outcome.reason.split(" at ").next().unwrap_or_default();
            let words: Vec<&str> = text.split('\'').step_by(2).collect();
            groups.entry(format!("{:?}: {}", outcome.answer, words.join("…"))).or_default().push(&task.name);
        }
    }
    let mut groups: Vec<(String, Vec<&str>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let note = |(reason, names): &(String, Vec<&str>)| format!("{} x {reason} (`{}`)", names.len(), names[0]);
    groups.iter().take(15).map(note).collect()
}

fn write_tsv(path: &Path, results: &[(Task, Outcome)]) -> Result<(), String> {
    let mut text = String::from("program\texpected\tanswer\tseconds\treason\n");
    for (task, outcome) in results {
        let expected = if task.bug { "unsafe" } else { "safe" };
        let reason = outcome.reason.replace(['\t', '\n'], " ");
        let answer = format!("{:?}", outcome.answer);
        let _ = writeln!(text, "{}\t{expected}\t{answer}\t{:.2}\t{reason}", task.name, outcome.seconds);
    }
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_evenly() {
        let check = |n: usize, expected: &[usize]| assert_eq!(spread(n), expected, "{n}");
        check(0, &[]);
        check(2, &[0, 1]);
        check(9, &[0, 3, 6]);
        check(16, &[0, 3, 6, 9, 12]);
        assert_eq!(spread(292).len(), 76);
    }

    #[test]
    fn labels_are_in_the_names() {
        let check = |name: &str, expected: Option<(&str, bool)>| {
            let file = CFile {
                path: name.into(),
                name: name.into(),
                ilp32: true,
                includes: vec![],
                defines: vec![],
            };
            let task = task(file);
            assert_eq!(task.as_ref().map(|t| (t.class.as_str(), t.bug)), expected, "{name}");
        };
        check("svcomp2016/loops/a_true-unreach-call.i", Some(("loops", false)));
        check("svcomp2016/loops/a_false-unreach-call_false-termination.c", Some(("loops", true)));
        check("svcomp2016/float-benchs/a.c", None);
    }

    #[test]
    fn only_decided_answers_can_be_wrong() {
        let check = |bug, answer, expected| assert_eq!(judge(bug, answer), expected);
        check(true, Answer::Safe, Judgement::Wrong);
        check(false, Answer::Unsafe, Judgement::Wrong);
        check(true, Answer::Unsafe, Judgement::Right);
        check(true, Answer::SafeUpTo(3), Judgement::Undecided);
        check(false, Answer::Crash, Judgement::Undecided);
    }
}
