//! `bench families`: generated programs of growing size, from scratch and after an edit of one place.
//!
//! What a verification costs should grow with the program, and what an edit costs with the edit. For every
//! family (`family.rs`), size and engine the first version is verified with a fresh store, then each edited
//! version with a copy of that store. The verdict is known for each of them. Exponents are fitted to the
//! times, without what the front end takes.

mod figures;
mod fit;
mod goals;
mod measure;
mod row;

use super::Bench;
use crate::cbmc::{Bounded, Cbmc};
use crate::family::{Edit, Family, ROUNDS};
use crate::job::Source;
use crate::report::Report;
use crate::store::Store;
use crate::verify::{Limits, Tool};
use crate::{pool, worker};
use measure::Lab;
use row::Row;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

#[derive(clap::Args)]
pub struct Args {
    /// Which families [default: all]
    #[arg(long, value_delimiter = ',')]
    family: Vec<Family>,
    /// How large they are
    #[arg(long, value_delimiter = ',', default_value = "10,30,100,300,1000", value_name = "N")]
    sizes: Vec<usize>,
    /// Which edits [default: all]
    #[arg(long, value_delimiter = ',')]
    edits: Vec<Edit>,
    /// Who is asked; `bmc` only where unwinding is a proof [default: all of them]
    #[arg(long, value_delimiter = ',')]
    engine: Vec<Engine>,
    /// Seconds for one program
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    time: u64,
    /// Memory for one program
    #[arg(long, default_value = "2G")]
    memory: String,
    /// What takes less than half a second is measured so often; the shortest counts
    #[arg(long, default_value_t = 3, value_name = "N")]
    repeats: u32,
    /// Verify every edited version from scratch, too [default: up to N = 100]
    #[arg(long)]
    compare: bool,
    /// Ask about edits and larger sizes also where there was no verdict from scratch
    #[arg(long)]
    every: bool,
    /// The binary of CBMC [default: `cbmc` on the PATH, if it is there]
    #[arg(long, env = "CBMC", value_name = "FILE")]
    cbmc: Option<PathBuf>,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Only write the programs, with their edits, into this folder
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

/// Who is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Engine {
    /// The tool's own plan.
    Auto,
    Bmc,
    Contracts,
    Predicate,
}

impl Engine {
    const ALL: [Engine; 4] = [Engine::Auto, Engine::Bmc, Engine::Contracts, Engine::Predicate];

    fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Bmc => "bmc",
            Engine::Contracts => "contracts",
            Engine::Predicate => "predicate",
        }
    }

    fn fits(self, family: Family) -> bool {
        self != Engine::Bmc || family.bounded()
    }
}

/// A program of a family, and who is asked about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    family: Family,
    engine: Engine,
    n: usize,
}

/// What CBMC says of a program.
struct Beside {
    family: Family,
    n: usize,
    other: Bounded,
}

/// Up to this size edited versions are verified from scratch in any case.
const COMPARED: usize = 100;

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    if let Some(folder) = &args.write {
        return write(folder, bench.seed, args).map(|()| Report::default());
    }
    let tool = Tool::find(args.tool.as_deref())?;
    let cbmc = match Cbmc::find(args.cbmc.as_deref()) {
        Err(why) if args.cbmc.is_some() => return Err(why),
        found => found.ok(),
    };
    let families = or_all(&args.family, &Family::ALL);
    let limits = Limits { seconds: args.time, memory: args.memory.clone() };
    let mut sizes: Vec<usize> = args.sizes.iter().map(|n| (*n).max(1)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let lab = Lab {
        tool: &tool,
        limits: &limits,
        edits: or_all(&args.edits, &Edit::ALL),
        repeats: args.repeats.max(1),
        compared: if args.compare { usize::MAX } else { COMPARED },
        every: args.every,
        seed: bench.seed,
        folder: bench.scratch("families-programs")?,
        results: Results::open(bench, "families", &tool.hash)?,
    };
    let mut lines = Vec::new();
    for family in &families {
        let engines = or_all(&args.engine, &Engine::ALL).into_iter().filter(|engine| engine.fits(*family));
        lines.extend(engines.map(|engine| (*family, engine)));
    }
    if lines.is_empty() {
        return Err("none of these engines is asked about these families".to_owned());
    }
    let cells = |lines: &[(Family, Engine)], n: usize| -> Vec<Cell> {
        lines.iter().map(|(family, engine)| Cell { family: *family, engine: *engine, n }).collect()
    };
    let mut open = lines.clone();
    let mut failed = Vec::new();
    for n in &sizes {
        let todo = cells(&open, *n);
        let each = |_: &mut worker::Worker, cell: &Cell| lab.measure(cell);
        let label = format!("families N = {n}");
        pool::run(&label, bench.timing_jobs, worker::Limits::NONE, &todo, each, |cell, result| {
            let name = format!("{} {}", cell.family.name(), cell.engine.name());
            failed.extend(result.err().map(|why| format!("{name} {}: {why}", cell.n)));
            name
        });
        // A larger one takes longer.
        open.retain(|(family, engine)| {
            let cell = Cell { family: *family, engine: *engine, n: *n };
            args.every || lab.scratch(&cell).is_some_and(|run| run.is_decided())
        });
    }
    if let Some(why) = failed.into_iter().next() {
        return Err(why);
    }
    let bounded: Vec<(Family, usize)> = families
        .iter()
        .filter(|family| family.bounded())
        .flat_map(|family| sizes.iter().map(|n| (*family, *n)))
        .collect();
    let beside = cbmc.map(|cbmc| beside(bench, &lab, &cbmc, &bounded)).transpose()?.unwrap_or_default();
    let _ = fs::remove_dir_all(&lab.folder);
    let rows: Vec<Row> = sizes.iter().flat_map(|n| cells(&lines, *n)).map(|cell| lab.row(cell)).collect();
    let mut report = figures::report(&limits, &rows, &beside);
    goals::claim(&mut report, &rows, &beside);
    Ok(report)
}

/// The programs as files: `FAMILY-N.c`, and `FAMILY-N-EDIT.c`.
fn write(folder: &Path, seed: u64, args: &Args) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let edits = or_all(&args.edits, &Edit::ALL);
    for family in or_all(&args.family, &Family::ALL) {
        for n in &args.sizes {
            for edit in std::iter::once(None).chain(edits.iter().copied().map(Some)) {
                let ending = edit.map_or_else(String::new, |edit| format!("-{}", edit.name()));
                let path = folder.join(format!("{}-{n}{ending}.c", family.name()));
                fs::write(&path, family.source(*n, edit, seed))
                    .map_err(|e| format!("{}: {e}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// CBMC on the same programs, one time for each version of it.
fn beside(bench: &Bench, lab: &Lab, cbmc: &Cbmc, todo: &[(Family, usize)]) -> Result<Vec<Beside>, String> {
    let results = Results::open(bench, "families-cbmc", &cbmc.version)?;
    let text = |(family, n): &(Family, usize)| family.source(*n, None, lab.seed);
    let key = |task: &(Family, usize)| {
        let limits = lab.limits;
        format!("{} {} {} {}s {}", task.0.name(), task.1, hash(&text(task)), limits.seconds, limits.memory)
    };
    let new: Vec<_> = todo.iter().filter(|task| results.get::<Bounded>(&key(task)).is_none()).collect();
    let each = |_: &mut worker::Worker, task: &&(Family, usize)| {
        let path = lab.folder.join(format!("cbmc-{}-{}.c", task.0.name(), task.1));
        fs::write(&path, text(task)).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(cbmc.bounded(&Source::plain(path, &[]), ROUNDS + 1, lab.limits))
    };
    pool::run("families, CBMC", bench.timing_jobs, worker::Limits::NONE, &new, each, |task, result| {
        let name = format!("{} {}", task.0.name(), task.1);
        match result {
            Ok(bounded) => {
                results.put(&key(task), &bounded);
                name
            }
            Err::<_, String>(why) => format!("{name}: {why}"),
        }
    });
    let result = |task: &(Family, usize)| {
        let other = results.get(&key(task)).ok_or_else(|| format!("CBMC, {}: no result", task.0.name()))?;
        Ok(Beside { family: task.0, n: task.1, other })
    };
    todo.iter().map(result).collect()
}

/// Results that are written as they come, by whoever has one.
struct Results(Mutex<Store>);

impl Results {
    fn open(bench: &Bench, name: &str, tool: &str) -> Result<Results, String> {
        Ok(Results(Mutex::new(bench.store_of(name, tool)?)))
    }

    fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.0.lock().ok()?.get(key)
    }

    fn put(&self, key: &str, value: &impl Serialize) {
        if let Ok(mut store) = self.0.lock()
            && let Err(e) = store.put(key, value)
        {
            eprintln!("bench: {e}");
        }
    }
}

fn or_all<T: Copy>(chosen: &[T], all: &[T]) -> Vec<T> {
    if chosen.is_empty() { all.to_vec() } else { chosen.to_vec() }
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_string()
}
