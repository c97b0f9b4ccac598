//! `bench svcomp`: programs of SV-COMP 2016 whose names say whether an error is reachable, through
//! `reprove verify`.
//!
//! The sample is fixed by the names of the programs alone, so it is the same for every build and cannot be
//! chosen to please. Every result is kept as a row that says all about itself; the tables are made of rows
//! and nothing else (`figures`).

mod figures;

use super::Bench;
use crate::data::{CFile, Set};
use crate::job::Source;
use crate::report::Report;
use crate::store::Store;
use crate::verify::{Answer, Limits, Outcome, Tool};
use crate::{pool, worker};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Which programs: the sample, or all
    #[arg(long, default_value = "sample", value_parser = ["sample", "all"])]
    set: String,
    /// Who is asked: `auto` (the tool's default), one engine, a list of these, or `each` of them
    #[arg(long, default_value = "auto", value_delimiter = ',', value_parser = ["auto", "bmc", "contracts", "explicit", "predicate", "each"])]
    engine: Vec<String>,
    /// Seconds for one program
    #[arg(long, visible_alias = "limit", default_value_t = 30, value_name = "SECONDS")]
    time: u64,
    /// Memory for one program
    #[arg(long, default_value = "4G")]
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
    /// Run nothing: the tables of what is recorded in this file (svcomp.jsonl of an earlier run)
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

/// A program with its label.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub class: String,
    pub name: String,
    pub file: CFile,
    /// Does the label say that an error is reachable?
    pub bug: bool,
    pub sampled: bool,
}

/// What is recorded of one program and engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    class: String,
    name: String,
    /// Is an error reachable, as far as anybody knows?
    bug: bool,
    /// Is it part of the sample?
    sampled: bool,
    /// Who was asked.
    engine: String,
    /// The limits.
    time: u64,
    memory: String,
    outcome: Outcome,
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

/// Labels that are wrong: the program, whether an error is reachable, and why.
const WRONG_LABELS: [(&str, bool, &str); 3] = [
    (
        "recursive-simple/Addition03_false-unreach-call.c",
        false,
        "the set's index says that it is labelled wrongly",
    ),
    (
        "ldv-regression/test29_true-unreach-call.c",
        true,
        "a replayed run refutes it: bytes of a union are read that nobody wrote",
    ),
    (
        "ldv-validator-v0.8/linux-stable-063f96c-1-144_1a-drivers--mmc--host--vub300.ko.unsigned-entry_point_ldv-val-v0.8_false-unreach-call.cil.out.c",
        false,
        "ldv_usb_get_dev_44 returns null, and vub300_probe reads through it before anything can fail",
    ),
];

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let engines = engines(&args.engine);
    let rows = match &args.from {
        Some(file) => recorded(args, &engines, file)?,
        None => measure(bench, args, &engines)?,
    };
    if rows.is_empty() {
        return Err("no such results".into());
    }
    figures::write_tsv(&bench.results.join(format!("svcomp-{}.tsv", args.set)), &rows)?;
    let title = format!("SV-COMP 2016, {}: {} s and {} each", args.set, args.time, args.memory);
    Ok(figures::report(&title, &engines, &rows))
}

/// The engines of the command line, each once; the tool's default first.
fn engines(named: &[String]) -> Vec<&'static str> {
    let all = ["auto", "bmc", "contracts", "explicit", "predicate"];
    let wanted = |engine: &str| named.iter().any(|name| name == engine || name == "each");
    all.into_iter().filter(|engine| wanted(engine)).collect()
}

fn recorded(args: &Args, engines: &[&str], file: &std::path::Path) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Store::recorded(file).map_err(|e| format!("{}: {e}", file.display()))?;
    rows.retain(|row| {
        (args.set == "all" || row.sampled)
            && engines.contains(&row.engine.as_str())
            && (row.time, &row.memory) == (args.time, &args.memory)
            && args.only.as_ref().is_none_or(|text| row.name.contains(text))
    });
    Ok(rows)
}

fn measure(bench: &Bench, args: &Args, engines: &[&str]) -> Result<Vec<Row>, String> {
    let tool = Tool::find(args.tool.as_deref())?;
    let mut tasks = tasks(bench.files(Set::Svcomp2016)?);
    let labelled = tasks.len();
    tasks.retain(|task| args.set == "all" || task.sampled);
    let whole = tasks.len();
    if let Some(text) = &args.only {
        tasks.retain(|task| task.name.contains(text));
    }
    tasks.truncate(args.most.unwrap_or(usize::MAX));
    eprintln!("{RULE}\n{whole} of {labelled} labelled programs; {} are run.", tasks.len());
    let limits = Limits { seconds: args.time, memory: args.memory.clone() };
    let mut store = bench.store_of("svcomp", &tool.hash)?;
    let key = |(task, engine): &(&Task, &str)| {
        format!("{} {engine} {}s {}", task.name, limits.seconds, limits.memory)
    };
    // One engine after the other: an interrupted run has all of the first.
    let both = engines.iter().flat_map(|engine| tasks.iter().map(move |task| (task, *engine)));
    let both: Vec<(&Task, &str)> = both.collect();
    let (mut wrong, mut decided) = (0, 0);
    let each = |_: &mut worker::Worker, (task, engine): &(&Task, &str)| {
        let more = crate::argv!["--store", "none", "--engine", engine];
        let outcome = tool.verify(&Source::of(&task.file), &limits, &more);
        Row {
            class: task.class.clone(),
            name: task.name.clone(),
            bug: task.bug,
            sampled: task.sampled,
            engine: (*engine).to_owned(),
            time: args.time,
            memory: args.memory.clone(),
            outcome,
        }
    };
    let pool = ("svcomp", bench.jobs, worker::Limits::NONE);
    Ok(pool::results(pool, &mut store, &both, key, each, |(task, engine), row| {
        match judge(row.bug, row.outcome.answer) {
            Judgement::Right => decided += 1,
            Judgement::Wrong => {
                wrong += 1;
                eprintln!("WRONG: {:?} on {} ({engine})", row.outcome.answer, task.name);
            }
            Judgement::Undecided => {}
        }
        format!("{decided} decided, {wrong} wrong; {engine} {}", task.name)
    }))
}

/// All labelled programs, by class and name.
pub(super) fn tasks(files: Vec<CFile>) -> Vec<Task> {
    let mut classes: BTreeMap<String, Vec<Task>> = BTreeMap::new();
    for task in files.into_iter().filter_map(task) {
        classes.entry(task.class.clone()).or_default().push(task);
    }
    for class in classes.values_mut() {
        class.sort_by(|a, b| a.name.cmp(&b.name));
        let chosen: BTreeSet<usize> = spread(class.len()).into_iter().collect();
        class.iter_mut().enumerate().for_each(|(i, task)| task.sampled = chosen.contains(&i));
    }
    classes.into_values().flatten().collect()
}

/// The programs of the sample, by name.
pub(super) fn sample(files: Vec<CFile>) -> Vec<(String, Source)> {
    let sampled = tasks(files).into_iter().filter(|task| task.sampled);
    sampled.map(|task| (task.name, Source::of(&task.file))).collect()
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
    let bug = wrong_label(&name).map_or(bug, |(bug, _)| bug);
    Some(Task { class: class.to_owned(), name, file, bug, sampled: false })
}

fn wrong_label(name: &str) -> Option<(bool, &'static str)> {
    WRONG_LABELS.into_iter().find(|(of, ..)| *of == name).map(|(_, bug, why)| (bug, why))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> CFile {
        CFile { path: name.into(), name: name.into(), ilp32: true, includes: vec![], defines: vec![] }
    }

    #[test]
    fn samples_are_spread_evenly() {
        let check = |n: usize, expected: &[usize]| {
            assert_eq!(spread(n), expected, "{n}");
            let files = (0..n).map(|i| file(&format!("svcomp2016/c/{i:02}_true-unreach-call.c")));
            let sampled = tasks(files.rev().collect()).into_iter().enumerate().filter(|(_, t)| t.sampled);
            assert_eq!(sampled.map(|(i, _)| i).collect::<Vec<_>>(), expected, "{n}");
        };
        check(0, &[]);
        check(2, &[0, 1]);
        check(9, &[0, 3, 6]);
        check(16, &[0, 3, 6, 9, 12]);
        assert_eq!(spread(292).len(), 76);
    }

    #[test]
    fn labels_are_in_the_names() {
        let check = |name: &str, expected: Option<(&str, bool)>| {
            let task = task(file(name));
            assert_eq!(task.as_ref().map(|t| (t.class.as_str(), t.bug)), expected, "{name}");
        };
        check("svcomp2016/loops/a_true-unreach-call.i", Some(("loops", false)));
        check("svcomp2016/loops/a_false-unreach-call_false-termination.c", Some(("loops", true)));
        check("svcomp2016/float-benchs/a.c", None);
        check(
            "svcomp2016/recursive-simple/Addition03_false-unreach-call.c",
            Some(("recursive-simple", false)),
        );
    }

    #[test]
    fn only_decided_answers_can_be_wrong() {
        let check = |bug, answer, expected| assert_eq!(judge(bug, answer), expected);
        check(true, Answer::Safe, Judgement::Wrong);
        check(false, Answer::Unsafe, Judgement::Wrong);
        check(true, Answer::Unsafe, Judgement::Right);
        check(true, Answer::SafeUpTo(3), Judgement::Undecided);
        check(false, Answer::Crash, Judgement::Undecided);
        check(true, Answer::NotCertified, Judgement::Undecided);
    }

    #[test]
    fn engines_come_once_and_the_default_first() {
        let check = |names: &[&str], expected: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            assert_eq!(engines(&names), expected);
        };
        check(&["bmc"], &["bmc"]);
        check(&["predicate", "auto", "predicate"], &["auto", "predicate"]);
        check(&["bmc", "each"], &["auto", "bmc", "contracts", "explicit", "predicate"]);
    }
}
