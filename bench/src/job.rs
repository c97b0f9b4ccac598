//! The jobs of a worker and their replies: what crosses the process boundary.

use crate::data::CFile;
use crate::measure::{self, Measured, Setting, Step, Stepped};
use crate::once::{self, Once};
use crate::sample::{self, Sampled};
use crate::{fuzz, tool};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A C file with its options.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    pub path: PathBuf,
    pub ilp32: bool,
    pub includes: Vec<PathBuf>,
    pub defines: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Job {
    /// Front end, IR verifier, and (`round_trip`) printing and parsing back.
    Lower {
        source: Source,
        round_trip: bool,
    },
    Interpret {
        source: Source,
        max_steps: u64,
    },
    /// Compares two versions; with `max_steps`, runs both as well.
    Compare {
        old: Source,
        new: Source,
        max_steps: Option<u64>,
    },
    /// Mutated inputs `first..first + count` through the whole front end, a tick each. The input at work is
    /// in `current`, so that it survives a crash.
    Fuzz {
        corpus: Vec<PathBuf>,
        seed: u64,
        first: u64,
        count: u64,
        current: PathBuf,
    },
    /// One preprocessed file through the whole front end.
    Digest {
        path: PathBuf,
    },
    /// Run a program on random inputs.
    Sample {
        source: Source,
        runs: u64,
        seed: u64,
    },
    /// Verify a program from scratch.
    Verify {
        source: Source,
        setting: Setting,
    },
    /// Verify a version once, with a store.
    Once(Box<once::Task>),
    /// Verify a version from scratch and by an upgrade check, a tick before each.
    Step {
        step: Step,
        setting: Setting,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    Lowered(Lowered),
    Ran(Ran),
    Compared(Compared),
    Fuzzed,
    Sampled(Sampled),
    Measured(Box<Measured>),
    Stepped(Box<Stepped>),
    Once(Box<Once>),
    /// No program: the front end's first error.
    Refused(String),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lowered {
    pub functions: usize,
    /// The reason of each poisoned function.
    pub poisoned: Vec<String>,
    /// What the IR verifier or the round trip found.
    pub problem: Option<String>,
    /// Parse, check and lower, without verifier and round trip.
    pub milliseconds: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    pub end: End,
    pub stdout: String,
    pub steps: u64,
    pub seconds: f64,
}

/// How an interpreted program ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum End {
    Code(i32),
    /// A failed check, undefined behaviour, `abort`: an end that belongs to the program.
    Fault(String),
    /// A limit, or something unsupported: nothing is known.
    Unknown(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Does the old version have functions that could not be translated? They never count as unchanged.
    pub poisoned: bool,
    pub rows: Vec<Row>,
    pub runs: Option<(Ran, Ran)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// `function`, `loop` or `global`.
    pub kind: String,
    pub name: String,
    pub state: String,
    pub why: String,
}

impl Row {
    pub fn is_unchanged(&self) -> bool {
        self.state == "unchanged"
    }
}

impl Source {
    pub fn of(file: &CFile) -> Source {
        Source {
            path: file.path.clone(),
            ilp32: file.ilp32,
            includes: file.includes.clone(),
            defines: file.defines.clone(),
        }
    }

    /// A file without options of its own, for the 64-bit target.
    pub fn plain(path: PathBuf, includes: &[PathBuf]) -> Source {
        Source { path, ilp32: false, includes: includes.to_vec(), defines: Vec::new() }
    }
}

/// Does the job; `tick` tells the runner that it is alive.
pub fn run(job: &Job, tick: &(dyn Fn() + Sync)) -> Reply {
    match job {
        Job::Lower { source, round_trip } => tool::lower(source, *round_trip),
        Job::Interpret { source, max_steps } => tool::interpret(source, *max_steps),
        Job::Compare { old, new, max_steps } => tool::compare(old, new, *max_steps),
        Job::Fuzz { corpus, seed, first, count, current } => {
            fuzz::batch(corpus, *seed, *first..*first + *count, current, tick);
            Reply::Fuzzed
        }
        Job::Digest { path } => {
            let text = std::fs::read(path).unwrap_or_default();
            tool::digest(&String::from_utf8_lossy(&text));
            Reply::Fuzzed
        }
        Job::Sample { source, runs, seed } => sample::sample(source, *runs, *seed),
        Job::Verify { source, setting } => measure::alone(source, setting),
        Job::Once(task) => once::once(task),
        Job::Step { step, setting } => measure::step(step, setting, tick),
    }
}
