//! `bench claims`: random programs whose failing runs are known, against what every engine claims of them.
//!
//! The interpreter knows of each program a run that fails, and how often that goes through loops and calls
//! (`known`). No engine may claim the program safe, before or after its proof was checked, nor safe up to a
//! bound within which the run lies.

use super::Bench;
use crate::refuted::{self, Wrong};
use crate::report::Report;
use crate::table::Table;
use crate::{pool, tool, worker};
use base::Budget;
use driver::{Claim, Request};
use engine::{Quiet, Settings, Subject, Task, UnknownReason};
use ir::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use testing::known::claims::{Claimed, deepening, fixed};
use testing::known::runs::{Failing, failing};

#[derive(clap::Args)]
pub struct Args {
    /// Programs with a failing run
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// Seconds for one question
    #[arg(long, default_value_t = 2.0, value_name = "SECONDS")]
    time: f64,
}

/// What is recorded of one seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    seed: u64,
    /// The bound within which it fails; none if no failing run is known.
    needs: Option<u32>,
    said: Vec<Said>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Said {
    who: String,
    what: Word,
    /// Why that is wrong, if it is.
    wrong: Option<String>,
    /// Was a claim refuted, by the replay or by the checker?
    refuted: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Word {
    Safe,
    Unsafe,
    SafeUpTo,
    Undecided,
    Panic,
}

/// Who is asked, in this order; `auto` is the tool's default.
fn questions() -> Vec<(&'static str, &'static str, Settings)> {
    vec![
        ("bmc, 1 round", "bmc", fixed(1)),
        ("bmc, 2 rounds", "bmc", fixed(2)),
        ("bmc, 4 rounds", "bmc", fixed(4)),
        ("bmc, deepening to 7", "bmc", deepening(7)),
        ("contracts", "contracts", Settings::default()),
        ("explicit", "explicit", Settings::default()),
        ("predicate", "predicate", Settings::default()),
        ("auto", AUTO, Settings::default()),
    ]
}

const AUTO: &str = "auto";
/// Of seeds that are looked at, the least share that fails.
const SHARE: usize = 10;

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let mut store = bench.store("claims")?;
    let key = |seed: &u64| format!("{seed} {}s", args.time);
    let (mut seeds, mut rows): (Vec<u64>, Vec<Row>) = (Vec::new(), Vec::new());
    let (mut found, mut bad) = (0, 0);
    while found < args.count && seeds.len() < SHARE * args.count {
        let more = (args.count - found) as u64;
        let first = bench.seed.wrapping_mul(1 << 32).wrapping_add(seeds.len() as u64);
        let batch: Vec<u64> = (0..more).map(|i| first.wrapping_add(i)).collect();
        let each = |_: &mut worker::Worker, seed: &u64| tool::on_large_stack(|| row(*seed, args.time));
        let pool = ("claims", bench.jobs, worker::Limits::NONE);
        let new = pool::results(pool, &mut store, &batch, key, each, |seed, row: &Row| {
            bad += row.said.iter().filter(|said| said.wrong.is_some()).count();
            for said in row.said.iter().filter(|said| said.wrong.is_some() || said.what == Word::Panic) {
                eprintln!("WRONG: seed {seed}, {}: {:?} {:?}", said.who, said.what, said.wrong);
            }
            format!("{bad} wrong")
        });
        found += new.iter().filter(|row| row.needs.is_some()).count();
        rows.extend(new);
        seeds.extend(batch);
    }
    rows.retain(|row| row.needs.is_some());
    rows.truncate(args.count);
    Ok(report(args, &rows, seeds.len()))
}

fn row(seed: u64, seconds: f64) -> Row {
    let known = testing::compile(&testing::known::flow::program(seed), &[]).ok();
    let known = known.and_then(|program| failing(&program).map(|failing| (program, failing)));
    let Some((program, failing)) = known else { return Row { seed, needs: None, said: Vec::new() } };
    let ask = |(who, engine, settings): (&str, &str, Settings)| {
        let asked = || said(&program, &failing, engine, &settings, seconds);
        let said = catch_unwind(AssertUnwindSafe(asked)).ok().flatten();
        let panic = Said { who: String::new(), what: Word::Panic, wrong: None, refuted: None };
        Said { who: who.to_owned(), ..said.unwrap_or(panic) }
    };
    let said = questions().into_iter().map(ask).collect();
    Row { seed, needs: Some(failing.needs), said }
}

fn said(program: &Program, failing: &Failing, name: &str, settings: &Settings, seconds: f64) -> Option<Said> {
    let entry = program.find_function("main")?;
    let budget = Budget::seconds(seconds);
    let (label, progress, store, base) = ("known.c", &Quiet, None, None);
    let subject = &Subject::new(program, entry);
    let budget = &budget;
    if name == AUTO {
        let request = Request { subject, base, label, settings, store, budget, limits: None, progress };
        return Some(of_attempts(&driver::verify(&request), failing));
    }
    let engine = driver::engines().iter().find(|engine| engine.name() == name)?;
    let task = Task { subject, base, equivalent: &[], label, settings, store, budget, progress };
    let answer = engine.verify(&task);
    let refuted = (answer.refuted > 0).then(|| "a violation".to_owned());
    let claimed = Claimed::by(&answer.verdict);
    Some(Said { who: String::new(), what: word(claimed), wrong: claimed.wrong(failing), refuted })
}

/// Every attempt counts, also one whose claim was not accepted.
fn of_attempts(outcome: &driver::Outcome, failing: &Failing) -> Said {
    let claims = |claim: &Claim| match claim {
        Claim::Safe | Claim::Unknown(UnknownReason::NotCertified(_)) => Claimed::Safe,
        Claim::Unknown(reason) => Claimed::because(reason),
        Claim::Unsafe => Claimed::Unsafe,
    };
    let of =
        |a: &driver::Attempt| claims(&a.claim).wrong(failing).map(|what| format!("{}: {what}", a.engine));
    let refuted = outcome.attempts.iter().find(|a| a.refuted > 0).map(|a| match &a.claim {
        Claim::Unknown(reason) => format!("{}: {reason}", a.engine),
        _ => a.engine.to_owned(),
    });
    let what = word(match &outcome.verdict {
        driver::Verdict::Safe => Claimed::Safe,
        driver::Verdict::Unsafe(_) => Claimed::Unsafe,
        driver::Verdict::Unknown(reason) => Claimed::because(reason),
    });
    Said { who: String::new(), what, wrong: outcome.attempts.iter().find_map(of), refuted }
}

fn word(claimed: Claimed) -> Word {
    match claimed {
        Claimed::Safe => Word::Safe,
        Claimed::Unsafe => Word::Unsafe,
        Claimed::SafeUpTo(_) => Word::SafeUpTo,
        Claimed::Nothing => Word::Undecided,
    }
}

fn report(args: &Args, rows: &[Row], looked_at: usize) -> Report {
    let mut report = Report::default();
    let title = format!("Programs with a known failing run, {} s a question", args.time);
    let header = [
        "asked",
        "programs",
        "unsafe",
        "safe up to K, K too small",
        "undecided",
        "WRONG",
        "refuted",
        "panics",
    ];
    let mut table = Table::new(title, &header);
    let (mut list, mut all, mut panics) = (Vec::new(), 0, 0);
    for (who, ..) in questions() {
        let said: Vec<(&Row, &Said)> = rows
            .iter()
            .flat_map(|row| row.said.iter().map(move |said| (row, said)))
            .filter(|(_, s)| s.who == who)
            .collect();
        let count = |word: Word| said.iter().filter(|(_, s)| s.what == word && s.wrong.is_none()).count();
        let wrong = said.iter().filter(|(_, s)| s.wrong.is_some()).count();
        let refuted = said.iter().filter(|(_, s)| s.refuted.is_some()).count();
        let counts = [
            said.len(),
            count(Word::Unsafe),
            count(Word::SafeUpTo),
            count(Word::Undecided),
            wrong,
            refuted,
            count(Word::Panic),
        ];
        table.row([who.to_owned()].into_iter().chain(counts.iter().map(usize::to_string)).collect());
        (all, panics) = (all + wrong, panics + count(Word::Panic));
        for (row, said) in said {
            if let Some(what) = &said.wrong {
                table.note(format!("WRONG: seed {}, {who}: {what}", row.seed));
            }
            if let Some(reason) = &said.refuted {
                let program = format!("seed {}", row.seed);
                list.push(Wrong { engine: who.to_owned(), program, reason: reason.clone() });
            }
        }
    }
    let mut needs: BTreeMap<u32, usize> = BTreeMap::new();
    rows.iter().filter_map(|row| row.needs).for_each(|n| *needs.entry(n.min(8)).or_default() += 1);
    let needs: Vec<String> = needs.iter().map(|(n, count)| format!("{n}: {count}")).collect();
    table.note(format!(
        "{} of {looked_at} programs; the bound within which they fail: {}.",
        rows.len(),
        needs.join(", ")
    ));
    report.tables.push(table);
    report.claim(
        "programs with a failing run",
        args.count.to_string(),
        rows.len().to_string(),
        rows.len() >= args.count,
    );
    report.claim("claims that the failing run contradicts", "0", all.to_string(), all == 0);
    report.claim("panics", "0", panics.to_string(), panics == 0);
    refuted::add(&mut report, &list);
    report
}
