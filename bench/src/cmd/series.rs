//! `bench series`: the revisions of drivers one after the other, each from scratch and with what earlier ones
//! left, in one run.
//!
//! The runner chooses the series (`series::choose`). Everything that is measured becomes a row (`Row`) that
//! says all about itself; the tables are made of rows and nothing else (`figures`), so they can be printed
//! again.

mod figures;
mod sums;
mod walk;

use super::Bench;
use crate::ask::{self, ALL, CONFIGS, Config, NONE};
use crate::data::Set;
use crate::measure::Decided;
use crate::once::Once;
use crate::report::Report;
use crate::series::{self, Series};
use crate::store::Store;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// How many series
    #[arg(long, default_value_t = 30, value_name = "N")]
    series: usize,
    /// Seconds for one verification
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    time: u64,
    /// Memory for one verification
    #[arg(long, default_value = "4G", value_parser = ask::bytes)]
    memory: u64,
    /// Who is asked
    #[arg(long, default_value = "predicate", value_parser = ["auto", "bmc", "predicate"])]
    engine: String,
    /// Which revisions: every one (1), every fourth (4), first and last; or several of these
    #[arg(long, default_value = "1", value_delimiter = ',', value_parser = ["1", "4", "last"])]
    every: Vec<String>,
    /// What is reused; always measured against `none`
    #[arg(long, default_value = "none,all", value_delimiter = ',', value_parser = CONFIGS.map(|c| c.name))]
    configs: Vec<String>,
    /// Short measurements are made so often; the best counts
    #[arg(long, default_value_t = 3, value_name = "N")]
    repeats: u32,
    /// Only the first so many revisions of a series
    #[arg(long, value_name = "N")]
    revisions: Option<usize>,
    /// Only series whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Run nothing: the tables of what is recorded in this file (series.jsonl of an earlier run)
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

/// One verification of one revision, as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    series: String,
    /// Of the revision in its series.
    index: usize,
    file: String,
    /// What the label says, if it does.
    bug: Option<bool>,
    /// Which revisions came before it; for `none`, none did.
    every: String,
    config: String,
    /// Is there nothing before it?
    first: bool,
    /// Lines that differ from the revision before it.
    lines: Option<usize>,
    engine: String,
    time: u64,
    /// Did the same thing, done again, give another verdict?
    unstable: bool,
    result: Measured,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Measured {
    Done(Box<Once>),
    /// A limit that was kept from outside; the seconds until then.
    Killed(String, f64),
    /// There is no program, or the process died.
    Failed(String),
}

impl Row {
    fn once(&self) -> Option<&Once> {
        match &self.result {
            Measured::Done(once) => Some(once),
            _ => None,
        }
    }

    /// The verdict, if it is one for all executions.
    fn verdict(&self) -> Option<&Decided> {
        self.once().map(|once| &once.verdict).filter(|verdict| verdict.is_final())
    }

    /// Does the label contradict it?
    fn is_wrong(&self) -> bool {
        match self.verdict() {
            Some(Decided::Safe) => self.bug == Some(true),
            Some(Decided::Unsafe) => self.bug == Some(false),
            _ => false,
        }
    }

    /// Everything but the front end; None if the process died.
    fn verification(&self) -> Option<f64> {
        match &self.result {
            Measured::Done(once) => Some(once.verification),
            Measured::Killed(_, seconds) => Some(*seconds),
            Measured::Failed(_) => None,
        }
    }

    /// Why there is no verdict.
    fn reason(&self) -> String {
        match &self.result {
            Measured::Done(once) => match &once.verdict {
                Decided::Unknown(reason) => reason.clone(),
                Decided::SafeUpTo(bound) => format!("safe up to {bound}"),
                Decided::Safe | Decided::Unsafe => String::new(),
            },
            Measured::Killed(reason, _) | Measured::Failed(reason) => reason.clone(),
        }
    }
}

/// What is asked for: which revisions come before, what is reused of them.
#[derive(Clone, Debug, PartialEq)]
struct Way {
    every: String,
    config: &'static str,
}

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let ways = ways(&args.every, &args.configs);
    if ways.is_empty() {
        return Err(format!("--configs: something besides '{NONE}' is needed"));
    }
    let rows = match &args.from {
        Some(file) => recorded(args, file)?,
        None => measure(bench, args, &ways)?,
    };
    if rows.is_empty() {
        return Err("no such results".into());
    }
    figures::write_tsv(&bench.results.join("series.tsv"), &rows)?;
    Ok(figures::report(args, &ways, &rows))
}

/// All combinations, without `none`; what the goals are about comes first.
fn ways(every: &[String], configs: &[String]) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for every in every {
        for config in configs.iter().filter_map(|name| Config::find(name)).filter(|c| c.name != NONE) {
            let way = Way { every: every.clone(), config: config.name };
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    ways.sort_by_key(|way| (way.every != "1", way.config != ALL));
    ways
}

fn recorded(args: &Args, file: &Path) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Store::recorded(file).map_err(|e| format!("{}: {e}", file.display()))?;
    rows.retain(|row| {
        row.engine == args.engine
            && row.time == args.time
            && args.only.as_ref().is_none_or(|text| row.series.contains(text))
            && args.revisions.is_none_or(|most| row.index < most)
    });
    Ok(rows)
}

fn measure(bench: &Bench, args: &Args, ways: &[Way]) -> Result<Vec<Row>, String> {
    let mut all = series::of(bench.files(Set::Drivers)?);
    all.retain(|s| s.revisions.len() > 1 && args.only.as_ref().is_none_or(|text| s.name.contains(text)));
    let known = all.len();
    let mut chosen = series::choose(all, args.series, size);
    if chosen.is_empty() {
        return Err("no such series".into());
    }
    if let Some(most) = args.revisions {
        chosen.iter_mut().for_each(|s| s.revisions.truncate(most.max(2)));
    }
    let revisions: usize = chosen.iter().map(|s| s.revisions.len()).sum();
    eprintln!("{} of {known} series, {revisions} revisions:", chosen.len());
    for series in &chosen {
        eprintln!("  {} ({} revisions, {} kB)", series.name, series.revisions.len(), size(series) / 1000);
    }
    walk::walk(bench, args, ways, &chosen)
}

/// Bytes of a typical revision.
fn size(series: &Series) -> u64 {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
    let mut sizes: Vec<u64> = series.revisions.iter().map(|r| length(&r.file.path)).collect();
    sizes.sort_unstable();
    sizes.get(sizes.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_come_once_and_the_main_one_first() {
        let check = |every: &[&str], configs: &[&str], expected: &[(&str, &str)]| {
            let owned = |list: &[&str]| list.iter().map(|text| text.to_string()).collect::<Vec<_>>();
            let found = ways(&owned(every), &owned(configs));
            let found: Vec<(&str, &str)> = found.iter().map(|way| (way.every.as_str(), way.config)).collect();
            assert_eq!(found, expected);
        };
        check(&["1"], &["none", "all"], &[("1", "all")]);
        check(&["4", "1"], &["all"], &[("1", "all"), ("4", "all")]);
        check(&["1"], &["loops", "all", "loops"], &[("1", "all"), ("1", "loops")]);
        check(&["1"], &["none"], &[]);
    }
}
