//! The tables: bugs found by class, and verdicts about memory side by side.

use super::{Bug, Pair};
use crate::cbmc::Said;
use crate::refuted::{self, Wrong};
use crate::report::Report;
use crate::table::Table;
use crate::verify::Answer;
use std::collections::BTreeMap;

pub fn bugs(report: &mut Report, time: u64, bugs: &[Bug]) {
    let mut classes: BTreeMap<&str, Vec<&Bug>> = BTreeMap::new();
    bugs.iter().for_each(|bug| classes.entry(&bug.class).or_default().push(bug));
    let header = ["class", "bugs", "reprove", "CBMC", "reprove only", "CBMC only", "reprove s", "CBMC s"];
    let title = format!(
        "Bugs of the SV-COMP sample beside CBMC, {time} s each; seconds are sums over those that both find"
    );
    let mut table = Table::new(title, &header);
    let row = |name: &str, bugs: &[&Bug]| {
        let count = |test: &dyn Fn(&Bug) -> bool| bugs.iter().filter(|bug| test(bug)).count().to_string();
        let both = || bugs.iter().filter(|bug| own(bug) && bug.other.found);
        vec![
            name.to_owned(),
            bugs.len().to_string(),
            count(&own),
            count(&|bug| bug.other.found),
            count(&|bug| own(bug) && !bug.other.found),
            count(&|bug| !own(bug) && bug.other.found),
            format!("{:.1}", both().map(|bug| bug.own.seconds).sum::<f64>()),
            format!("{:.1}", both().map(|bug| bug.other.seconds).sum::<f64>()),
        ]
    };
    let mut behind = Vec::new();
    for (name, bugs) in &classes {
        table.row(row(name, bugs));
        let (ours, theirs) =
            (bugs.iter().filter(|b| own(b)).count(), bugs.iter().filter(|b| b.other.found).count());
        if ours < theirs {
            behind.push(*name);
        }
    }
    table.row(row("all", &bugs.iter().collect::<Vec<_>>()));
    for bug in bugs.iter().filter(|bug| bug.other.found && !own(bug)) {
        table.note(format!("CBMC only, {} rounds: `{}`: {}", bug.other.bound, bug.name, bug.own.reason));
    }
    report.tables.push(table);
    let measured = if behind.is_empty() { "none".to_owned() } else { behind.join(", ") };
    report.claim("classes in which CBMC finds more bugs", "none", measured, behind.is_empty());
    refuted::add(report, &wrong(bugs.iter().map(|bug| (bug.name.clone(), &bug.own))));
}

fn own(bug: &Bug) -> bool {
    bug.own.answer == Answer::Unsafe
}

fn wrong<'a>(rows: impl Iterator<Item = (String, &'a crate::verify::Outcome)>) -> Vec<Wrong> {
    let of = |(program, outcome): (String, &'a crate::verify::Outcome)| {
        let one = move |r: &crate::verify::Refuted| Wrong {
            engine: r.engine.clone(),
            program: program.clone(),
            reason: r.reason.clone(),
        };
        outcome.refuted.iter().map(one)
    };
    rows.flat_map(of).collect()
}

/// Does one say that the program is safe, and the other that it is not?
pub fn contradicts(pair: &Pair) -> bool {
    matches!((pair.own.answer, &pair.other), (Answer::Safe, Said::Unsafe) | (Answer::Unsafe, Said::Safe))
}

pub fn memory(report: &mut Report, pairs: &[Pair]) {
    let mut table = Table::new(
        "Random programs about memory beside CBMC",
        &["reprove", "CBMC: safe", "unsafe", "nothing"],
    );
    type Kind = (&'static str, fn(Answer) -> bool);
    let kinds: [Kind; 3] = [
        ("safe", |answer| answer == Answer::Safe),
        ("unsafe", |answer| answer == Answer::Unsafe),
        ("undecided", |answer| !matches!(answer, Answer::Safe | Answer::Unsafe)),
    ];
    for (name, of) in kinds {
        let own: Vec<&Pair> = pairs.iter().filter(|pair| of(pair.own.answer)).collect();
        let count = |test: &dyn Fn(&Said) -> bool| own.iter().filter(|p| test(&p.other)).count().to_string();
        table.row(vec![
            name.to_owned(),
            count(&|said| *said == Said::Safe),
            count(&|said| *said == Said::Unsafe),
            count(&|said| matches!(said, Said::Nothing(_))),
        ]);
    }
    let contradictions: Vec<&Pair> = pairs.iter().filter(|pair| contradicts(pair)).collect();
    for pair in &contradictions {
        table
            .note(format!("CONTRADICTION: seed {}: {:?}, CBMC {:?}", pair.seed, pair.own.answer, pair.other));
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for pair in pairs.iter().filter(|p| !matches!(p.own.answer, Answer::Safe | Answer::Unsafe)) {
        *reasons.entry(pair.own.reason.split(" at ").next().unwrap_or_default()).or_default() += 1;
    }
    for (reason, count) in reasons {
        table.note(format!("Undecided: {count}: {reason}"));
    }
    report.tables.push(table);
    let count = contradictions.len();
    report.claim("contradictions with CBMC about memory", "0", count.to_string(), count == 0);
    refuted::add(report, &wrong(pairs.iter().map(|pair| (format!("seed {}", pair.seed), &pair.own))));
}
