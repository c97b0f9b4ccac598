//! `bench against OLD`: one revision of each driver series, by another binary of the tool and by this one.
//!
//! Each binary first verifies the revision before, with a store of its own. What is measured is the whole
//! process that verifies the revision with `--base` and a copy of that store: reading two files, finding what
//! changed, answering. The binaries take turns, so that what else the machine does concerns both.

use super::Bench;
use crate::data::Set;
use crate::job::Source;
use crate::report::Report;
use crate::series::{self, Series};
use crate::table::Table;
use crate::verify::{Answer, Limits, Outcome, Tool};
use crate::{pool, worker};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The binary to compare with
    old: PathBuf,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// How many series
    #[arg(long, default_value_t = 45)]
    series: usize,
    /// Seconds for one revision
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    time: u64,
    /// Of so many measurements the shortest counts
    #[arg(long, default_value_t = 3, value_name = "N")]
    repeats: u32,
    /// Which part of the time must at least be saved
    #[arg(long, default_value_t = 0.2, value_name = "PART")]
    goal: f64,
}

/// One revision, by the old binary and by the new one.
#[derive(Clone, Serialize, Deserialize)]
struct Row {
    series: String,
    old: Outcome,
    new: Outcome,
}

impl Row {
    fn decided(&self) -> bool {
        [&self.old, &self.new].iter().all(|o| matches!(o.answer, Answer::Safe | Answer::Unsafe))
    }
}

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let tools = [Tool::find(Some(&args.old))?, Tool::find(args.tool.as_deref())?];
    let mut all = series::of(bench.files(Set::Drivers)?);
    all.retain(|s| s.revisions.len() > 1);
    let size =
        |s: &Series| s.revisions.first().and_then(|r| fs::metadata(&r.file.path).ok()).map_or(0, |m| m.len());
    let chosen = series::choose(all, args.series, size);
    let hash = format!("{} {}", tools[0].hash, tools[1].hash);
    let mut results = bench.store_of("against", &hash)?;
    let folder = bench.scratch("against-stores")?;
    let key = |s: &Series| format!("{} {}s {}", s.name, args.time, args.repeats);
    let todo: Vec<&Series> = chosen.iter().filter(|s| results.get::<Row>(&key(s)).is_none()).collect();
    let each = |_: &mut worker::Worker, series: &&Series| measure(args, &tools, &folder, series);
    pool::run("against", bench.timing_jobs, worker::Limits::NONE, &todo, each, |series, row| {
        match row {
            Ok(row) => drop(results.put(&key(series), &row).inspect_err(|e| eprintln!("bench: {e}"))),
            Err(why) => eprintln!("bench: {}: {why}", series.name),
        }
        series.name.clone()
    });
    let _ = fs::remove_dir_all(&folder);
    let rows: Option<Vec<Row>> = chosen.iter().map(|s| results.get(&key(s))).collect();
    Ok(report(args, &rows.ok_or("some series have no result")?))
}

/// The revision in the middle of a series.
fn measure(args: &Args, tools: &[Tool; 2], folder: &Path, series: &Series) -> Result<Row, String> {
    let middle = series.revisions.len() / 2;
    let [before, after] =
        [&series.revisions[middle - 1], &series.revisions[middle]].map(|r| Source::of(&r.file));
    let limits = Limits { seconds: args.time, memory: "4G".to_owned() };
    let stores = ["old", "new"].map(|name| folder.join(name));
    for (tool, store) in tools.iter().zip(&stores) {
        let _ = fs::remove_dir_all(store);
        tool.verify(&before, &limits, &crate::argv!["--store", store.display()]);
    }
    let copied = folder.join("copy");
    let mut best: [Option<Outcome>; 2] = [None, None];
    for _ in 0..args.repeats.max(1) {
        for ((tool, store), best) in tools.iter().zip(&stores).zip(&mut best) {
            let _ = fs::remove_dir_all(&copied);
            crate::measure::copy(store, &copied).map_err(|e| format!("{}: {e}", store.display()))?;
            let more = crate::argv!["--store", copied.display(), "--base", before.path.display()];
            let outcome = tool.verify(&after, &limits, &more);
            if best.as_ref().is_none_or(|best| outcome.seconds < best.seconds) {
                *best = Some(outcome);
            }
        }
    }
    match best {
        [Some(old), Some(new)] => Ok(Row { series: series.name.clone(), old, new }),
        _ => Err("no measurement".to_owned()),
    }
}

fn report(args: &Args, rows: &[Row]) -> Report {
    let mut report = Report::default();
    let mut table =
        Table::new("One revision of each series", &["series", "before", "ms", "now", "ms", "ratio"]);
    for row in rows {
        let [old, new] = [&row.old, &row.new];
        table.row(vec![
            row.series.clone(),
            format!("{:?}", old.answer),
            format!("{:.1}", old.seconds * 1000.0),
            format!("{:?}", new.answer),
            format!("{:.1}", new.seconds * 1000.0),
            format!("{:.2}", new.seconds / old.seconds),
        ]);
    }
    let decided: Vec<&Row> = rows.iter().filter(|row| row.decided()).collect();
    let median = |of: &dyn Fn(&Row) -> f64| {
        let list: Vec<f64> = decided.iter().map(|row| of(row)).collect();
        crate::table::median(&list).unwrap_or(0.0)
    };
    let (old, new) = (median(&|row| row.old.seconds), median(&|row| row.new.seconds));
    let ratio = median(&|row| row.new.seconds / row.old.seconds);
    table.note(format!(
        "{} decided by both: medians {:.1} and {:.1} ms, of the ratios {ratio:.2}.",
        decided.len(),
        old * 1000.0,
        new * 1000.0
    ));
    report.tables.push(table);
    let other = decided.iter().filter(|row| row.old.answer != row.new.answer).count();
    let was = |o: &Outcome| matches!(o.answer, Answer::Safe | Answer::Unsafe);
    let lost = rows.iter().filter(|row| was(&row.old) && !was(&row.new)).count();
    report.claim("other verdicts", "0", other.to_string(), other == 0);
    report.claim("decided before, and not now", "0", lost.to_string(), lost == 0);
    let (goal, saved) = (args.goal, 1.0 - ratio);
    report.claim("time saved", format!("{goal:.2}"), format!("{saved:.2}"), saved >= goal);
    report
}
