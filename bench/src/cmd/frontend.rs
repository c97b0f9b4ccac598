//! `bench frontend`: does the front end take the files that gcc takes?

use super::Bench;
use crate::data::{CFile, Set};
use crate::gcc::Verdicts;
use crate::job::{Job, Lowered, Reply, Source};
use crate::pool;
use crate::report::Report;
use crate::table::{Table, percent};
use crate::worker::{Limits, Worker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    gcc: bool,
    result: Result<Lowered, String>,
}

impl Record {
    fn failure(&self) -> Option<&str> {
        match &self.result {
            Ok(lowered) => lowered.problem.as_deref(),
            Err(message) => Some(message),
        }
    }
}

pub fn run(bench: &Bench, names: &[String], round_trip: bool, timeout: u64) -> Result<Report, String> {
    let mut sets = Vec::new();
    for name in names {
        sets.extend(Set::by_name(name).ok_or_else(|| format!("no set is called '{name}'"))?);
    }
    if sets.is_empty() {
        sets.extend(Set::ALL);
    }
    let verdicts = Verdicts::open(&bench.results).map_err(|e| format!("gcc: {e}"))?;
    let mut store = bench.store("frontend")?;
    let limits = Limits { time: Duration::from_secs(timeout), memory_kib: 4 << 20 };
    let mut results: Vec<(Set, Vec<(CFile, Record)>)> = Vec::new();
    for set in sets {
        let files = bench.files(set)?;
        let key = |file: &CFile| format!("{} {round_trip}", file.name);
        let each = |worker: &mut Worker, file: &CFile| Record {
            gcc: verdicts.accepts(file).unwrap_or(false),
            result: lower(worker, file, round_trip),
        };
        let mut failures = 0;
        let pool = (set.name(), bench.jobs, limits);
        let records = pool::results(pool, &mut store, &files, key, each, |_, record: &Record| {
            failures += usize::from(record.gcc && record.failure().is_some());
            format!("{failures} failed")
        });
        let mut done: Vec<(CFile, Record)> = files.into_iter().zip(records).collect();
        done.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        results.push((set, done));
    }
    let listing = listing(&results);
    std::fs::write(bench.results.join("frontend-failures.txt"), listing).map_err(|e| e.to_string())?;
    Ok(report(&results))
}

fn lower(worker: &mut Worker, file: &CFile, round_trip: bool) -> Result<Lowered, String> {
    match worker.call(&Job::Lower { source: Source::of(file), round_trip }) {
        Ok(Reply::Lowered(lowered)) => Ok(lowered),
        Ok(Reply::Refused(message)) => Err(message),
        Ok(_) => Err("unexpected reply".into()),
        Err(failure) => Err(failure.to_string()),
    }
}

fn report(results: &[(Set, Vec<(CFile, Record)>)]) -> Report {
    let mut report = Report::default();
    let mut table = Table::new(
        "Front end",
        &[
            "set",
            "files",
            "gcc accepts",
            "lowered",
            "of gcc's",
            "goal",
            "no poison",
            "functions",
            "poisoned",
            "slowest",
        ],
    );
    let mut reasons: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut messages: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (set, files) in results {
        let accepted: Vec<&(CFile, Record)> = files.iter().filter(|(_, r)| r.gcc).collect();
        let lowered = |list: &[&(CFile, Record)]| list.iter().filter(|(_, r)| r.failure().is_none()).count();
        let (ok, total) = (lowered(&accepted), accepted.len());
        let all: Vec<_> = files.iter().collect();
        let good: Vec<&Lowered> = files
            .iter()
            .filter(|(_, r)| r.failure().is_none())
            .filter_map(|(_, r)| r.result.as_ref().ok())
            .collect();
        let slowest = good.iter().map(|l| l.milliseconds).fold(0.0, f64::max);
        table.row(vec![
            set.name().into(),
            files.len().to_string(),
            total.to_string(),
            lowered(&all).to_string(),
            percent(ok, total),
            format!("{} %", set.goal()),
            good.iter().filter(|l| l.poisoned.is_empty()).count().to_string(),
            good.iter().map(|l| l.functions).sum::<usize>().to_string(),
            good.iter().map(|l| l.poisoned.len()).sum::<usize>().to_string(),
            format!("{slowest:.0} ms"),
        ]);
        for (file, record) in files {
            if let Ok(lowered) = &record.result {
                for reason in &lowered.poisoned {
                    let entry = reasons.entry(general(reason)).or_insert((0, file.name.clone()));
                    entry.0 += 1;
                }
            }
            if let Some(message) = record.failure().filter(|_| record.gcc || set.goal() == 100) {
                let entry = messages.entry(general(message)).or_insert((0, file.name.clone()));
                entry.0 += 1;
            }
        }
    }
    claims(results, &mut report);
    table.note("Of gcc's: the share of the files that gcc accepts. The IR verifier is on; printing and parsing back gives the same program.");
    report.tables.push(table);
    report.tables.extend(top("Poisoned functions, by reason", &reasons));
    report.tables.extend(top("Failures, by message", &messages));
    report
}

fn claims(results: &[(Set, Vec<(CFile, Record)>)], report: &mut Report) {
    let lowered = |list: &[&(CFile, Record)]| list.iter().filter(|(_, r)| r.failure().is_none()).count();
    let mut archives: Vec<&str> = results.iter().map(|(set, _)| set.archive()).collect();
    archives.dedup();
    for archive in archives {
        let sets: Vec<_> = results.iter().filter(|(set, _)| set.archive() == archive).collect();
        let goal = sets.iter().map(|(set, _)| set.goal()).max().unwrap_or(100);
        // Where the goal is all files, it is all, whatever gcc thinks of them.
        let counted: Vec<&(CFile, Record)> =
            sets.iter().flat_map(|(_, files)| files).filter(|(_, r)| r.gcc || goal == 100).collect();
        let ok = lowered(&counted);
        let met = ok * 100 >= counted.len() * goal;
        let measured = format!("{} ({ok} of {})", percent(ok, counted.len()), counted.len());
        report.claim(&format!("front end, {archive}"), format!("{goal} %"), measured, met);
    }
    let failures: Vec<&str> =
        results.iter().flat_map(|(_, files)| files).filter_map(|(_, r)| r.failure()).collect();
    let vague = failures.iter().filter(|message| place(message).is_none()).count();
    let measured = format!("{} of {}", failures.len() - vague, failures.len());
    report.claim("failures with a place", "all", measured, vague == 0);
}

/// Splits `file:line:column: message`.
fn place(message: &str) -> Option<(&str, &str)> {
    let (place, rest) = message.split_once(": ")?;
    let mut parts = place.rsplit(':');
    let numbers = parts.by_ref().take(2).all(|n| n.parse::<u32>().is_ok_and(|n| n > 0));
    (numbers && parts.next().is_some()).then_some((place, rest))
}

/// A message without its place and without the names in it.
fn general(message: &str) -> String {
    let text = place(message).map_or(message, |(_, rest)| rest);
    let mut out = String::new();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            None if c == '\'' || c == '`' => {
                quote = Some(c);
                out.push_str("'…'");
            }
            None if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            None => out.push(c),
            Some(q) if c == q => quote = None,
            Some(_) => {}
        }
    }
    out.chars().take(110).collect()
}

fn top(title: &str, counts: &BTreeMap<String, (usize, String)>) -> Option<Table> {
    let mut list: Vec<_> = counts.iter().collect();
    list.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    if list.is_empty() {
        return None;
    }
    let mut table = Table::new(title, &["what", "count", "first file"]);
    for (what, (count, file)) in list.iter().take(25) {
        let short: String = file.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
        table.row(vec![what.to_string(), count.to_string(), short]);
    }
    Some(table)
}

fn listing(results: &[(Set, Vec<(CFile, Record)>)]) -> String {
    let mut text = String::new();
    for (file, record) in results.iter().flat_map(|(_, files)| files) {
        if let Some(message) = record.failure() {
            let gcc = if record.gcc { "" } else { " (gcc rejects it too)" };
            let _ = writeln!(text, "{}{gcc}: {message}", file.name);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_lose_places_and_names() {
        for (message, expected) in [
            ("a.c:3:14: expected ';' before 'x'", "expected '…' before '…'"),
            ("crash: signal 6", "crash: signal #"),
            ("inline assembly with `goto`", "inline assembly with '…'"),
        ] {
            assert_eq!(general(message), expected);
        }
    }
}
