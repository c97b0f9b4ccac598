//! `bench mutants-verify`: the upgrade check and verification from scratch say the same about generated
//! mutants.
//!
//! The originals are programs with a proof, for `bmc` at the bound; what is learned of each is kept in a
//! store of its own. A mutant is one small edit somewhere in the text (`mutant`); it is verified on a copy of
//! that store, and from scratch.

use super::Bench;
use super::plan::{Gain, Task, attempts};
use crate::data::Set;
use crate::job::{Job, Reply, Source};
use crate::measure::{Decided, Reuse, Setting, Step, Stepped};
use crate::mutant::Mutation;
use crate::pool;
use crate::report::Report;
use crate::rng::Rng;
use crate::table::{Table, percent};
use crate::worker::{Limits, Worker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// How many mutants with two verdicts
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Who is asked; `bmc` at one bound
    #[arg(long, default_value = "bmc", value_parser = ["auto", "bmc", "contracts", "predicate"])]
    engine: String,
    /// How often loops run, and how deep recursion goes, for `bmc`
    #[arg(long, default_value_t = 2)]
    bound: u32,
    /// Seconds for one verification
    #[arg(long, visible_alias = "time", default_value_t = 20)]
    limit: u64,
    /// Originals of a class, at most
    #[arg(long, default_value_t = 12, value_name = "N")]
    per_class: usize,
}

/// Programs of the benchmarks with many functions.
const CLASSES: [&str; 6] =
    ["ldv-regression", "locks", "ntdrivers-simplified", "product-lines", "ssh-simplified", "systemc"];

const OWN: [(&str, &str); 4] = [
    ("account", include_str!("../../programs/verify/account.c")),
    ("door", include_str!("../../programs/verify/door.c")),
    ("queue", include_str!("../../programs/verify/queue.c")),
    ("tree", include_str!("../../programs/verify/tree.c")),
];

/// An original, and the folder of its store.
struct Base {
    name: String,
    source: Source,
    store: PathBuf,
}

#[derive(Clone, Serialize, Deserialize)]
struct Record {
    kind: usize,
    base: String,
    result: Outcome,
}

#[derive(Clone, Serialize, Deserialize)]
enum Outcome {
    Both(Box<Stepped>),
    /// A limit was reached, or something is not supported: nothing to compare.
    Undecided(String),
    /// No mutant, or one that does not compile.
    Skipped(String),
    Failed(String),
}

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let mut store = bench.store("mutants-verify")?;
    let bases = bases(bench, args, &mut store)?;
    let saved = bench.results.join("mutants-verify-different");
    fs::create_dir_all(&saved).map_err(|e| e.to_string())?;
    let scratch = bench.scratch("mutants-verify-scratch")?;
    let key = |task: &Task| format!("{} seed={} {}", task.key(), bench.seed, asked(args));
    let each = |_: &mut Worker, task: &Task| {
        let runner = Runner { args, seed: bench.seed, bases: &bases, scratch: &scratch, saved: &saved };
        runner.one(task)
    };
    let gain = |record: &Record| match &record.result {
        Outcome::Both(step) if differs(step) => Gain::Wrong,
        Outcome::Both(_) => Gain::Right,
        _ => Gain::Nothing,
    };
    let (pool, mutants) = (("mutants", bench.jobs, limits(args)), (args.count, Mutation::ALL.len()));
    let records = attempts(pool, &mut store, mutants, key, each, gain);
    let _ = fs::remove_dir_all(&scratch);
    Ok(report(args, &bases, &records))
}

fn limits(args: &Args) -> Limits {
    Limits { time: Duration::from_secs(args.limit + 60), memory_kib: 6 << 20 }
}

/// Who is asked, and how, in words.
fn asked(args: &Args) -> String {
    let bound = if args.engine == "bmc" { format!("bound {}", args.bound) } else { "no bound".into() };
    format!("{}, {bound}, {} s", args.engine, args.limit)
}

fn setting(args: &Args, name: &str) -> Setting {
    Setting {
        engine: args.engine.clone(),
        bound: args.bound,
        limit: args.limit as f64,
        label: name.to_owned(),
        always: true,
    }
}

/// The originals: those that are proved at the bound, within half the limit.
fn bases(bench: &Bench, args: &Args, store: &mut crate::store::Store) -> Result<Vec<Base>, String> {
    let folder = bench.results.join(format!("mutants-verify-bases-{}", args.engine));
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut candidates = Vec::new();
    for (name, text) in OWN {
        let path = folder.join(format!("{name}.c"));
        fs::write(&path, text).map_err(|e| e.to_string())?;
        candidates.push((format!("own/{name}"), Source::plain(path, &[])));
    }
    let mut classes: BTreeMap<&str, Vec<(String, Source)>> = BTreeMap::new();
    for file in bench.files(Set::Svcomp2016)? {
        let name = file.name.strip_prefix("svcomp2016/").unwrap_or(&file.name);
        let Some(class) = CLASSES.into_iter().find(|c| name.split('/').next() == Some(c)) else { continue };
        if name.contains("true-unreach-call") {
            classes.entry(class).or_default().push((name.to_owned(), Source::of(&file)));
        }
    }
    for files in classes.values() {
        let take = files.len().min(args.per_class);
        candidates.extend((0..take).map(|i| files[i * files.len() / take].clone()));
    }
    let bases: Vec<Base> = candidates
        .into_iter()
        .map(|(name, source)| Base { store: folder.join(name.replace('/', "_")), name, source })
        .collect();
    let key = |base: &Base| format!("base {} {}", base.name, asked(args));
    let todo: Vec<&Base> = bases
        .iter()
        .filter(|base| !base.store.is_dir() || store.get::<Option<Stepped>>(&key(base)).is_none())
        .collect();
    let each = |_: &mut Worker, base: &&Base| {
        let step = Step {
            old: None,
            new: base.source.clone(),
            before: None,
            after: base.store.clone(),
            repeats: 1,
            upgrade_first: true,
        };
        let job = Job::Step { step, setting: setting(args, &base.name) };
        match Worker::new(limits(args)).call(&job) {
            Ok(Reply::Stepped(stepped)) => Some(*stepped),
            _ => None,
        }
    };
    pool::run("originals", bench.jobs, limits(args), &todo, each, |base, stepped: Option<Stepped>| {
        if let Err(e) = store.put(&key(base), &stepped) {
            eprintln!("bench: {e}");
        }
        base.name.clone()
    });
    let proved = |base: &Base| {
        let stepped: Option<Stepped> = store.get(&key(base)).flatten();
        stepped.is_some_and(|s| {
            let proved = match args.engine.as_str() {
                "bmc" => s.upgrade.figure("bytes stored") > 0.0,
                _ => s.upgrade.verdict == Decided::Safe,
            };
            proved && s.scratch.seconds * 2.0 < args.limit as f64
        })
    };
    let bases: Vec<Base> = bases.into_iter().filter(proved).collect();
    if bases.is_empty() { Err("no original can be proved".into()) } else { Ok(bases) }
}

struct Runner<'a> {
    args: &'a Args,
    seed: u64,
    bases: &'a [Base],
    scratch: &'a Path,
    saved: &'a Path,
}

impl Runner<'_> {
    fn one(&self, task: &Task) -> Record {
        let kind = task.kind;
        let mut rng = Rng::part(self.seed, task.number());
        let Some(base) = rng.pick(self.bases) else {
            return Record { kind, base: String::new(), result: Outcome::Skipped("no originals".into()) };
        };
        let result = self.mutant(task, base, &mut rng).unwrap_or_else(Outcome::Skipped);
        Record { kind, base: base.name.clone(), result }
    }

    fn mutant(&self, task: &Task, base: &Base, rng: &mut Rng) -> Result<Outcome, String> {
        let text = fs::read(&base.source.path).map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&text);
        let mutant = Mutation::ALL[task.kind].apply(&text, rng).ok_or("nothing to mutate")?;
        let extension = base.source.path.extension().map_or("c".into(), |e| e.to_string_lossy());
        let path = self.scratch.join(format!("{}.{extension}", task.key()));
        fs::write(&path, &mutant.text).map_err(|e| e.to_string())?;
        let after = self.scratch.join(format!("{}-store", task.key()));
        let step = Step {
            old: Some(base.source.clone()),
            new: Source { path: path.clone(), ..base.source.clone() },
            before: Some(base.store.clone()),
            after: after.clone(),
            repeats: 3,
            upgrade_first: task.index % 2 == 1,
        };
        let job = Job::Step { step, setting: setting(self.args, &base.name) };
        let outcome = match Worker::new(limits(self.args)).call(&job) {
            Ok(Reply::Stepped(step)) => judge(*step),
            Ok(Reply::Refused(message)) => Outcome::Skipped(message),
            Ok(_) => Outcome::Failed("unexpected reply".into()),
            Err(failure) => Outcome::Failed(failure.to_string()),
        };
        let keep = match &outcome {
            Outcome::Both(step) => differs(step),
            Outcome::Failed(_) => true,
            _ => false,
        };
        if keep {
            let name = base.name.replace('/', "_");
            let _ = fs::copy(&path, self.saved.join(format!("{}-{name}", task.key())));
        }
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir_all(&after);
        Ok(outcome)
    }
}

fn judge(step: Stepped) -> Outcome {
    match (&step.scratch.verdict, &step.upgrade.verdict) {
        (Decided::Unknown(a), Decided::Unknown(b)) if a == b => Outcome::Undecided(a.clone()),
        (Decided::Unknown(a), other) => Outcome::Undecided(format!("{a} from scratch, upgrade {other:?}")),
        (other, Decided::Unknown(b)) => Outcome::Undecided(format!("{b}, from scratch {other:?}")),
        _ => Outcome::Both(Box::new(step)),
    }
}

fn differs(step: &Stepped) -> bool {
    step.unstable || step.scratch.verdict.differs(&step.upgrade.verdict)
}

/// Counts of one kind of mutation.
#[derive(Default)]
struct Row {
    tried: usize,
    both: usize,
    different: usize,
    unsafe_: usize,
    by_reuse: [usize; 4],
    undecided: usize,
    failed: usize,
    ups: Vec<f64>,
}

impl Row {
    fn add(&mut self, record: &Record) {
        self.tried += 1;
        match &record.result {
            Outcome::Both(step) => {
                self.both += 1;
                self.different += usize::from(differs(step));
                self.unsafe_ += usize::from(step.scratch.verdict == Decided::Unsafe);
                let place = match step.upgrade.reuse {
                    Reuse::Whole => 0,
                    Reuse::Held => 1,
                    Reuse::Rebuilt => 2,
                    Reuse::Scratch | Reuse::None => 3,
                };
                self.by_reuse[place] += 1;
                self.ups.push(step.scratch.seconds / step.upgrade.seconds.max(1e-6));
            }
            Outcome::Undecided(_) => self.undecided += 1,
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Skipped(_) => {}
        }
    }

    fn cells(mut self, name: &str) -> Vec<String> {
        self.ups.sort_by(f64::total_cmp);
        let median = self.ups.get(self.ups.len() / 2).map_or("-".into(), |x| format!("{x:.1}x"));
        let mut cells = vec![name.to_owned(), self.tried.to_string(), self.both.to_string()];
        cells.extend([self.both - self.different, self.different, self.unsafe_].map(|n| n.to_string()));
        cells.extend(self.by_reuse.map(|n| n.to_string()));
        cells.extend([self.undecided, self.failed].map(|n| n.to_string()));
        cells.push(median);
        cells
    }
}

fn report(args: &Args, bases: &[Base], records: &[Record]) -> Report {
    let mut table = Table::new(
        format!("Mutants: with reuse and from scratch; {}", asked(args)),
        &[
            "mutation of",
            "tried",
            "two verdicts",
            "equal",
            "DIFFERENT",
            "unsafe",
            "irrelevant",
            "held",
            "some fell",
            "from scratch",
            "undecided",
            "failed",
            "speed-up",
        ],
    );
    let mut all = Row::default();
    for (k, mutation) in Mutation::ALL.iter().enumerate() {
        let mut row = Row::default();
        for record in records.iter().filter(|r| r.kind == k) {
            row.add(record);
            all.add(record);
        }
        table.row(row.cells(mutation.name()));
    }
    let (both, different, failed) = (all.both, all.different, all.failed);
    table.row(all.cells("all"));
    table.note(format!(
        "Of {} originals that are proved ({} tried for a verdict each way). Equal: `SAFE`, `UNSAFE` or `safe up to K` both \
         ways. Irrelevant: nothing changed that a check depends on; held: the summaries of all changed calls still hold; some fell: the check \
         went up the tree; from scratch: up to the entry. Undecided: a limit, or unsupported, at least one way. Speed-up: median.",
        bases.len(),
        records.len()
    ));
    for record in records {
        let note = match &record.result {
            Outcome::Both(step) if differs(step) => {
                format!("DIFFERENT: from scratch {:?}, {:?}", step.scratch.verdict, step.upgrade.verdict)
            }
            Outcome::Failed(why) => format!("failed: {why}"),
            _ => continue,
        };
        table.note(format!("{} of `{}`: {note}", Mutation::ALL[record.kind].name(), record.base));
    }
    for (reason, count) in undecided(records) {
        table.note(format!("Undecided {count} x {reason}"));
    }
    let mut report = Report::default();
    report.tables.push(table);
    let share = percent(both - different, both);
    report.claim(
        "mutants with two verdicts",
        format!("at least {}", args.count),
        both.to_string(),
        both >= args.count,
    );
    report.claim("of them with equal verdicts", "all", share, different == 0 && both > 0);
    report.claim("failures", "0", failed.to_string(), failed == 0);
    report
}

/// The most frequent reasons.
fn undecided(records: &[Record]) -> Vec<(String, usize)> {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records {
        if let Outcome::Undecided(reason) = &record.result {
            *groups.entry(reason).or_default() += 1;
        }
    }
    let mut groups: Vec<(String, usize)> = groups.into_iter().map(|(r, n)| (r.to_owned(), n)).collect();
    groups.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    groups.truncate(10);
    groups
}
