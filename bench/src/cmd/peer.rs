//! `bench peer`: the tool beside CBMC, in one run.
//!
//! Bugs of the SV-COMP sample: both have the same time for each, CBMC with larger and larger bounds. Random
//! programs about memory (`testing::known::memory`): both decide them, and where one says safe and the other does not,
//! one is wrong.
//!
//! Nothing depends on CBMC: it is named by `--cbmc`, by the variable `CBMC`, or found on the PATH.

mod figures;

use super::{Bench, svcomp};
use crate::cbmc::{self, Cbmc, Found, Said};
use crate::data::Set;
use crate::job::Source;
use crate::report::Report;
use crate::verify::{Limits, Outcome, Tool};
use crate::{pool, worker};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// What is compared
    #[arg(long, default_value = "both", value_parser = ["bugs", "memory", "both"])]
    part: String,
    /// The binary of CBMC [default: `cbmc` on the PATH]
    #[arg(long, env = "CBMC", value_name = "FILE")]
    cbmc: Option<PathBuf>,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Seconds for one program
    #[arg(long, default_value_t = 28, value_name = "SECONDS")]
    time: u64,
    /// Memory for one program
    #[arg(long, default_value = "4G")]
    memory: String,
    /// Random programs
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// Only programs whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// A program with a bug.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Bug {
    class: String,
    name: String,
    own: Outcome,
    other: Found,
}

/// A random program about memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pair {
    seed: u64,
    own: Outcome,
    other: Said,
}

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let (tool, cbmc) = (Tool::find(args.tool.as_deref())?, Cbmc::find(args.cbmc.as_deref())?);
    let mut report = Report::default();
    if args.part != "memory" {
        figures::bugs(&mut report, args.time, &bugs(bench, args, &tool, &cbmc)?);
    }
    if args.part != "bugs" {
        figures::memory(&mut report, &memory(bench, args, &tool, &cbmc)?);
    }
    Ok(report)
}

fn bugs(bench: &Bench, args: &Args, tool: &Tool, cbmc: &Cbmc) -> Result<Vec<Bug>, String> {
    let mut tasks = svcomp::tasks(bench.files(Set::Svcomp2016)?);
    tasks.retain(|task| task.sampled && task.bug);
    tasks.retain(|task| args.only.as_ref().is_none_or(|text| task.name.contains(text)));
    let scratch = bench.results.join("peer-bugs");
    fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let error = cbmc::error_function(&scratch)?;
    let limits = Limits { seconds: args.time, memory: args.memory.clone() };
    let mut store = bench.store_of("peer-bugs", &tool.hash)?;
    let key = |task: &svcomp::Task| format!("{} {}s {}", task.name, args.time, args.memory);
    let each = |_: &mut worker::Worker, task: &svcomp::Task| {
        let source = Source::of(&task.file);
        let own = tool.verify(&source, &limits, &crate::argv!["--store", "none"]);
        let other = cbmc.bug(&source, &error, &limits);
        Bug { class: task.class.clone(), name: task.name.clone(), own, other }
    };
    let pool = ("bugs", bench.jobs, worker::Limits::NONE);
    Ok(pool::results(pool, &mut store, &tasks, key, each, |task, bug| {
        format!("{:?} {} {}", bug.own.answer, bug.other.found, task.name)
    }))
}

fn memory(bench: &Bench, args: &Args, tool: &Tool, cbmc: &Cbmc) -> Result<Vec<Pair>, String> {
    let folder = bench.results.join("peer-memory");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let limits = Limits { seconds: args.time, memory: args.memory.clone() };
    let mut store = bench.store_of("peer-memory", &tool.hash)?;
    let first = bench.seed.wrapping_mul(1 << 32);
    let seeds: Vec<u64> = (0..args.count).map(|i| first.wrapping_add(i)).collect();
    let key = |seed: &u64| format!("{seed} {}s {}", args.time, args.memory);
    let each = |_: &mut worker::Worker, seed: &u64| {
        let path = folder.join(format!("{seed}.c"));
        let written = fs::write(&path, testing::known::memory::program(*seed)).map_err(|e| e.to_string());
        let source = Source::plain(path, &[]);
        let own = tool.verify(&source, &limits, &crate::argv!["--store", "none", "--check", "memory"]);
        let other = written.map_or_else(Said::Nothing, |()| cbmc.memory(&source, &limits));
        Pair { seed: *seed, own, other }
    };
    let pool = ("memory", bench.jobs, worker::Limits::NONE);
    Ok(pool::results(pool, &mut store, &seeds, key, each, |seed, pair| {
        let line = format!("{:?} {:?} seed {seed}", pair.own.answer, pair.other);
        if figures::contradicts(pair) {
            eprintln!("CONTRADICTION: {line}");
        }
        line
    }))
}
