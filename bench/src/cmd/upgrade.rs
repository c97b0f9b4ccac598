//! `bench upgrade`: the upgrade check against verification from scratch, along the revisions of drivers.
//!
//! The runner chooses the series itself: it verifies the first revision of each from scratch and takes those
//! that need longest. Then it goes from revision to revision with one store a series; each step is measured
//! both ways in one fresh process (`measure`).

use super::Bench;
use crate::data::{CFile, Set};
use crate::job::{Job, Reply, Source};
use crate::measure::{Decided, Measured, Setting, Step, Stepped};
use crate::pool::{self, Progress};
use crate::report::Report;
use crate::series::{self, Series};
use crate::store::Store;
use crate::table::Table;
use crate::worker::{Limits, Worker};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

mod figures;

#[derive(clap::Args)]
pub struct Args {
    /// Which histories
    #[arg(long, default_value = "drivers", value_parser = ["drivers"])]
    set: String,
    /// How many series: those that take longest from scratch
    #[arg(long, default_value_t = 20)]
    series: usize,
    /// How often loops run, and how deep recursion goes
    #[arg(long, default_value_t = 2)]
    bound: u32,
    /// Seconds for one verification
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Only the first so many revisions of a series
    #[arg(long, value_name = "N")]
    revisions: Option<usize>,
    /// Only series whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Make summaries in any case, not only where that pays
    #[arg(long)]
    always: bool,
}

/// One step, as it is kept.
#[derive(Clone, Serialize, Deserialize)]
enum Record {
    Done(Box<Stepped>),
    /// The process died, or there is no program.
    Failed(String),
}

/// A step with the revision it leads to.
struct Line<'a> {
    series: &'a Series,
    /// 0 is the first revision, which has nothing to reuse.
    index: usize,
    record: Record,
}

/// Short measurements are made so often.
const REPEATS: u32 = 3;
const MEMORY_KIB: u64 = 6 << 20;

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let mut series = series::of(bench.files(Set::Drivers)?);
    series.retain(|s| s.revisions.len() > 1 && args.only.as_ref().is_none_or(|text| s.name.contains(text)));
    if let Some(most) = args.revisions {
        series.iter_mut().for_each(|s| s.revisions.truncate(most.max(2)));
    }
    let mut store = bench.store("upgrade")?;
    let first = first_revisions(bench, args, &mut store, &series)?;
    let (chosen, choice) = choose(args, &series, &first);
    println!("{}", choice.markdown());
    if chosen.is_empty() {
        return Err("no series can be verified at this bound and limit".into());
    }
    let lines = steps(bench, args, store, &chosen)?;
    figures::write_tsv(&bench.results.join("upgrade.tsv"), &lines)?;
    let mut report = figures::report(args, &chosen, &lines);
    report.tables.push(choice);
    Ok(report)
}

fn limits(args: &Args) -> Limits {
    // The verifier keeps its own limit; this one is for when it does not.
    Limits { time: Duration::from_secs(args.limit + 60), memory_kib: MEMORY_KIB }
}

/// From scratch, all series.
fn first_revisions(
    bench: &Bench,
    args: &Args,
    store: &mut Store,
    series: &[Series],
) -> Result<Vec<Measured>, String> {
    let key = |s: &Series| format!("first {} k={} {}s", s.name, args.bound, args.limit);
    let todo: Vec<&Series> = series.iter().filter(|s| store.get::<Measured>(&key(s)).is_none()).collect();
    let each = |worker: &mut Worker, series: &&Series| {
        let Some(file) = series.revisions.first() else { return failed("no revision") };
        let setting = setting(args, series);
        match worker.call(&Job::Verify { source: Source::of(&file.file), setting }) {
            Ok(Reply::Measured(measured)) => *measured,
            Ok(Reply::Refused(message)) => failed(&message),
            Ok(_) => failed("unexpected reply"),
            Err(failure) => failed(&failure.to_string()),
        }
    };
    pool::run("first revisions", bench.jobs, limits(args), &todo, each, |series, measured| {
        if let Err(e) = store.put(&key(series), &measured) {
            eprintln!("bench: {e}");
        }
        format!("{:?} {:.2} s {}", measured.verdict, measured.seconds, series.name)
    });
    series.iter().map(|s| store.get(&key(s)).ok_or_else(|| format!("{}: no result", s.name))).collect()
}

fn failed(reason: &str) -> Measured {
    Measured {
        verdict: Decided::Unknown(reason.to_owned()),
        seconds: 0.0,
        figures: Default::default(),
        reuse: crate::measure::Reuse::None,
        story: String::new(),
    }
}

fn setting(args: &Args, series: &Series) -> Setting {
    Setting {
        engine: "bmc".into(),
        bound: args.bound,
        limit: args.limit as f64,
        label: series.name.clone(),
        always: args.always,
    }
}

/// The series that take longest, among those whose first revision is proved, so that there is something to
/// reuse.
fn choose<'a>(args: &Args, series: &'a [Series], first: &[Measured]) -> (Vec<&'a Series>, Table) {
    let title = format!("Series chosen, bound {}: first revision from scratch", args.bound);
    let mut table = Table::new(title, &["series", "revisions", "verdict", "seconds"]);
    let proved = |m: &Measured| matches!(m.verdict, Decided::Safe | Decided::SafeUpTo(_));
    let mut order: Vec<usize> = (0..series.len()).filter(|i| proved(&first[*i])).collect();
    order.sort_by(|a, b| first[*b].seconds.total_cmp(&first[*a].seconds));
    order.truncate(args.series);
    for i in &order {
        table.row(vec![
            series[*i].name.clone(),
            series[*i].revisions.len().to_string(),
            format!("{:?}", first[*i].verdict),
            format!("{:.3}", first[*i].seconds),
        ]);
    }
    let out: Vec<String> = series
        .iter()
        .zip(first)
        .filter(|(_, m)| !proved(m))
        .map(|(s, m)| format!("{} ({:?})", s.name, m.verdict))
        .collect();
    let all = series.len();
    table.note(format!("Chosen are those that take longest, of {all} series with two revisions or more."));
    if !out.is_empty() {
        table.note(format!("Not eligible, since the first revision is not proved: {}.", out.join(", ")));
    }
    (order.into_iter().map(|i| &series[i]).collect(), table)
}

fn steps<'a>(
    bench: &Bench,
    args: &Args,
    store: Store,
    chosen: &[&'a Series],
) -> Result<Vec<Line<'a>>, String> {
    let folder = bench.results.join("upgrade-stores");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let total = chosen.iter().map(|s| s.revisions.len()).sum();
    let shared = Mutex::new((store, Progress::new("revisions", total)));
    let walk = Walk { args, folder, shared: &shared };
    let mut lines = Vec::new();
    let each = |_: &mut Worker, series: &&'a Series| walk.series(series);
    pool::run("series", bench.timing_jobs, limits(args), chosen, each, |series, records| {
        for (index, record) in records.into_iter().enumerate() {
            lines.push(Line { series, index, record });
        }
        series.name.clone()
    });
    lines.sort_by_key(|line| (chosen.iter().position(|s| s.name == line.series.name), line.index));
    Ok(lines)
}

struct Walk<'a> {
    args: &'a Args,
    folder: PathBuf,
    shared: &'a Mutex<(Store, Progress)>,
}

impl Walk<'_> {
    /// All steps of a series. A run that was interrupted goes on if its store is as the last step left it.
    fn series(&self, series: &Series) -> Vec<Record> {
        let (current, next) =
            (self.folder.join(series.folder_name()), self.folder.join(series.folder_name() + ".next"));
        let mark = self.folder.join(series.folder_name() + ".mark");
        let mut records = self.known(series);
        let whole = records.len() == series.revisions.len();
        if !whole && fs::read_to_string(&mark).ok() != Some(self.mark(series, records.len())) {
            records.clear();
            let _ = fs::remove_dir_all(&current);
        }
        for index in records.len()..series.revisions.len() {
            let _ = fs::remove_file(&mark);
            let record = self.step(series, index, &current, &next);
            if let Record::Done(_) = record {
                let _ = fs::remove_dir_all(&current);
                let _ = fs::rename(&next, &current);
            }
            let note = match &record {
                Record::Done(s) => {
                    format!("{:.2} s, from scratch {:.2} s", s.upgrade.seconds, s.scratch.seconds)
                }
                Record::Failed(why) => why.clone(),
            };
            if let Ok(mut shared) = self.shared.lock() {
                if let Err(e) = shared.0.put(&self.key(series, index), &record) {
                    eprintln!("bench: {e}");
                }
                shared.1.step(&format!("{note}; {} {index}", series.name));
            }
            records.push(record);
            let _ = fs::write(&mark, self.mark(series, records.len()));
        }
        let _ = fs::remove_dir_all(&next);
        records
    }

    fn step(&self, series: &Series, index: usize, current: &Path, next: &Path) -> Record {
        let source = |file: &CFile| Source::of(file);
        let step = Step {
            old: index.checked_sub(1).map(|i| source(&series.revisions[i].file)),
            new: source(&series.revisions[index].file),
            before: current.is_dir().then(|| current.to_path_buf()),
            after: next.to_path_buf(),
            repeats: REPEATS,
            upgrade_first: index % 2 == 1,
        };
        let setting = setting(self.args, series);
        // A process a step: nothing is left over from earlier ones.
        match Worker::new(limits(self.args)).call(&Job::Step { step, setting }) {
            Ok(Reply::Stepped(stepped)) => Record::Done(stepped),
            Ok(Reply::Refused(message)) => Record::Failed(message),
            Ok(_) => Record::Failed("unexpected reply".into()),
            Err(failure) => Record::Failed(failure.to_string()),
        }
    }

    /// The steps that are known, up to the first that is not.
    fn known(&self, series: &Series) -> Vec<Record> {
        let Ok(shared) = self.shared.lock() else { return Vec::new() };
        (0..series.revisions.len()).map_while(|i| shared.0.get(&self.key(series, i))).collect()
    }

    fn key(&self, series: &Series, index: usize) -> String {
        format!("step {} {index} k={} {}s", series.name, self.args.bound, self.args.limit)
    }

    /// Says which steps a store has seen.
    fn mark(&self, series: &Series, steps: usize) -> String {
        self.key(series, steps)
    }
}
