//! `bench known`: random pairs whose versions differ on an input that is known. They must never be called
//! equivalent, neither by the portfolio nor by its provers alone, whom a run that happens to find the
//! difference would otherwise hide.

use super::Bench;
use crate::pool;
use crate::report::Report;
use crate::table::Table;
use crate::worker::Limits;
use base::Budget;
use equiv::spec::Spec;
use equiv::testing::{self, KINDS, Known};
use equiv::{Integers, Member, Request, Verdict, engine};
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Pairs with a known difference
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// Seconds for one pair; the provers alone get a third of it
    #[arg(long, default_value_t = 3.0)]
    timeout: f64,
}

/// Those who prove something about all inputs.
const PROVERS: [Member; 3] = [Member::Identical, Member::Candidates, Member::Abstraction];
/// In this process: nothing is limited but time.
const LIMITS: Limits = Limits { time: Duration::from_secs(600), memory_kib: 8 << 20 };

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Answer {
    Different,
    Unknown,
    Equivalent,
}

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    kind: usize,
    input: [i32; 2],
    /// Of the portfolio, and of the provers alone.
    answers: [Answer; 2],
}

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let mut store = bench.store("known")?;
    let saved = bench.results.join("known-wrong");
    std::fs::create_dir_all(&saved).map_err(|e| e.to_string())?;
    let (mut records, mut next): (Vec<Record>, u64) = (Vec::new(), bench.seed * 1_000_000);
    while records.len() < args.count {
        let end = next + (args.count - records.len()) as u64;
        let seeds: Vec<u64> = (std::mem::replace(&mut next, end)..end).collect();
        let (mut found, mut wrong) = (records.len(), 0);
        let each = |_: &mut crate::worker::Worker, seed: &u64| one(*seed, args.timeout);
        let pool = ("known", bench.jobs, LIMITS);
        let new = pool::results(pool, &mut store, &seeds, u64::to_string, each, |seed, record| {
            found += usize::from(record.is_some());
            if record.as_ref().is_some_and(|r: &Record| r.answers.contains(&Answer::Equivalent)) {
                wrong += 1;
                for (text, side) in testing::case(*seed).texts.iter().zip(["old", "new"]) {
                    let _ = std::fs::write(saved.join(format!("{seed}-{side}.c")), text);
                }
            }
            format!("{found} with a known difference, {wrong} wrong")
        });
        records.extend(new.into_iter().flatten());
    }
    records.truncate(args.count);
    Ok(report(&records))
}

/// None if no difference is known.
fn one(seed: u64, timeout: f64) -> Option<Record> {
    let case = testing::case(seed);
    let known = testing::known(&case)?;
    let answers = [
        answer(&known, &Member::ALL, Duration::from_secs_f64(timeout)),
        answer(&known, &PROVERS, Duration::from_secs_f64(timeout / 3.0)),
    ];
    let kind = KINDS.iter().position(|k| *k == case.kind)?;
    Some(Record { kind, input: known.input, answers })
}

fn answer(known: &Known, members: &[Member], time: Duration) -> Answer {
    let budget = Budget::seconds(time.as_secs_f64());
    let [old, new] = &known.programs;
    let spec = Spec::default();
    let request = Request {
        pair: &change::Pair::new(old, new),
        functions: known.functions,
        spec: &spec,
        integers: Integers::Machine,
        budget: &budget,
        members,
    };
    let found =
        cfront::with_stack(|| match engine::compare(&request, &driver::certificate::confirm).verdict {
            Verdict::Equivalent(_) => Answer::Equivalent,
            Verdict::NotEquivalent(_) => Answer::Different,
            Verdict::Unknown(_) => Answer::Unknown,
        });
    found.unwrap_or(Answer::Unknown)
}

fn report(records: &[Record]) -> Report {
    let mut report = Report::default();
    let header = ["the versions differ in", "pairs", "different", "unknown", "EQUIVALENT", "proved alone"];
    let mut table = Table::new("Pairs with a known difference", &header);
    let count = |kind: Option<usize>, who: usize, answer: Answer| {
        let own = records.iter().filter(|r| kind.is_none_or(|k| r.kind == k));
        own.filter(|r| r.answers[who] == answer).count()
    };
    let kinds = KINDS.iter().enumerate().map(|(i, name)| (Some(i), *name));
    for (kind, name) in kinds.chain([(None, "together")]) {
        let pairs = records.iter().filter(|r| kind.is_none_or(|k| r.kind == k)).count();
        let all = [Answer::Different, Answer::Unknown, Answer::Equivalent].map(|a| count(kind, 0, a));
        let alone = count(kind, 1, Answer::Equivalent);
        let cells = [pairs, all[0], all[1], all[2], alone].map(|n| n.to_string());
        table.row(std::iter::once(name.to_owned()).chain(cells).collect());
    }
    report.tables.push(table);
    let wrong = count(None, 0, Answer::Equivalent) + count(None, 1, Answer::Equivalent);
    let what = format!("{} pairs that differ, called equivalent", records.len());
    report.claim(&what, "none", wrong.to_string(), wrong == 0);
    report
}
