//! The binary `reprove verify`, run as a user runs it: one process a program, with limits of time and memory.
//!
//! The exit code must fit the verdict. A process that is still there some seconds after its time limit is
//! killed and has none.

mod document;

use crate::job::Source;
use crate::proc::{self, Ran};
use document::Document;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct Tool {
    pub path: PathBuf,
    /// Of the binary; results are kept with it.
    pub hash: String,
}

#[derive(Clone, Debug)]
pub struct Limits {
    pub seconds: u64,
    /// As `--memory` has it: `4GiB`.
    pub memory: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub answer: Answer,
    /// Of the whole process.
    pub seconds: f64,
    /// Why there is no answer.
    pub reason: String,
    /// The engine that answered.
    #[serde(default)]
    pub engine: String,
    /// Did somebody else check it: the certificate of a proof, the replay of a violation?
    #[serde(default)]
    pub confirmed: bool,
    /// Claims that were seen to be wrong, whatever became of the verdict.
    #[serde(default)]
    pub refuted: Vec<Refuted>,
    /// Where the violation is.
    #[serde(default)]
    pub line: Option<u32>,
    /// If it is safe: the seconds of the engine that found the proof, and of its check.
    #[serde(default)]
    pub proof: Option<(f64, f64)>,
}

/// A verdict, and what it took besides time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    pub outcome: Outcome,
    /// Most that the process held, in bytes.
    pub peak: u64,
    /// Of the solver, by engines that count them and by the checker.
    pub queries: Option<u64>,
    pub successors: Option<u64>,
}

/// A claim of an engine that its replay or the checker refuted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refuted {
    pub engine: String,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    Safe,
    /// Replayed: the tool says so of nothing else.
    Unsafe,
    SafeUpTo(u32),
    Time,
    Memory,
    /// A violation whose replay showed none.
    NotConfirmed,
    /// A proof that nobody could check.
    NotCertified,
    /// An execution does something without meaning.
    Undefined,
    Unsupported,
    /// The front end gave no program.
    Refused,
    Crash,
}

impl Answer {
    pub fn word(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::SafeUpTo(_) => "safe up to a bound",
            Answer::Time => "time",
            Answer::Memory => "memory",
            Answer::NotConfirmed => "not confirmed",
            Answer::NotCertified => "not certified",
            Answer::Undefined => "undefined",
            Answer::Unsupported => "unsupported",
            Answer::Refused => "refused",
            Answer::Crash => "crash",
        }
    }

    /// Is it about all executions?
    pub fn is_verdict(self) -> bool {
        matches!(self, Answer::Safe | Answer::Unsafe)
    }
}

impl Outcome {
    /// An answer about which nothing else is known.
    pub fn bare(answer: Answer, reason: String) -> Outcome {
        Outcome {
            answer,
            seconds: 0.0,
            reason,
            engine: String::new(),
            confirmed: false,
            refuted: Vec::new(),
            line: None,
            proof: None,
        }
    }
}

/// A process that does not end by itself is killed so many seconds after its time limit.
const GRACE: u64 = 5;
/// Address space, in KiB, against one huge allocation; resident memory is the tool's own business.
const ADDRESS_SPACE: u64 = 24 << 20;

impl Tool {
    /// The binary that is named, or `reprove` next to this one.
    pub fn find(named: Option<&Path>) -> Result<Tool, String> {
        let path = match named {
            Some(path) => path.to_path_buf(),
            None => std::env::current_exe().map_err(|e| e.to_string())?.with_file_name("reprove"),
        };
        let hint = "build it with 'cargo build --release -p cli', or name it by --tool";
        let binary = fs::read(&path).map_err(|e| format!("{}: {e}; {hint}", path.display()))?;
        let hash = blake3::hash(&binary).to_hex()[..16].to_string();
        Ok(Tool { path, hash })
    }

    /// Verifies a program; `more` are further arguments.
    pub fn verify(&self, source: &Source, limits: &Limits, more: &[String]) -> Outcome {
        match proc::run(&self.command(source, limits, more), patience(limits)) {
            Ok(ran) => told(&ran, source).0,
            Err(e) => Outcome::bare(Answer::Crash, format!("cannot be run: {e}")),
        }
    }

    /// The same, with what it takes besides time.
    pub fn weigh(&self, source: &Source, limits: &Limits, more: &[String]) -> Weighed {
        match proc::watched(&self.command(source, limits, more), patience(limits)) {
            Ok((ran, peak)) => {
                let (outcome, document) = told(&ran, source);
                let queries = document.as_ref().and_then(Document::queries);
                let successors = document.as_ref().and_then(|document| document.sum("abstract successors"));
                Weighed { outcome, peak, queries, successors }
            }
            Err(e) => {
                let outcome = Outcome::bare(Answer::Crash, format!("cannot be run: {e}"));
                Weighed { outcome, peak: 0, queries: None, successors: None }
            }
        }
    }

    fn command(&self, source: &Source, limits: &Limits, more: &[String]) -> Vec<String> {
        let space = format!("ulimit -c 0; ulimit -v {ADDRESS_SPACE}; exec \"$@\"");
        let mut argv = crate::argv!["sh", "-c", space, "sh", self.path.display(), "verify", "--json"];
        // The verdict is measured, not the search for more failures.
        argv.push("--first".to_owned());
        argv.extend(crate::argv!["--timeout", limits.seconds, "--memory", limits.memory]);
        // Most programs are SV-COMP's, or have no such functions.
        if !more.iter().any(|argument| argument == "--unknown-functions") {
            argv.extend(crate::argv!["--unknown-functions", "pure"]);
        }
        argv.extend(crate::argv!["--target", if source.ilp32 { "ilp32" } else { "lp64" }]);
        argv.extend(source.includes.iter().map(|dir| format!("-I{}", dir.display())));
        argv.extend(source.defines.iter().map(|define| format!("-D{define}")));
        argv.extend_from_slice(more);
        argv.push(source.path.display().to_string());
        argv
    }
}

fn patience(limits: &Limits) -> Duration {
    Duration::from_secs(limits.seconds + GRACE)
}

/// What the tool said, and its document, if it is one.
fn told(ran: &Ran, source: &Source) -> (Outcome, Option<Document>) {
    let document = serde_json::from_str::<Document>(&ran.stdout).ok();
    let (answer, reason) = match &document {
        _ if ran.timed_out => (Answer::Time, "did not keep its time limit".to_owned()),
        Some(document) => document::classify(document, ran.code),
        None => {
            let last = ran.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            (Answer::Crash, format!("{:?}: {last}", ran.code))
        }
    };
    let seconds = ran.time.as_secs_f64();
    let mut outcome = Outcome { seconds, ..Outcome::bare(answer, reason) };
    if let Some(document) = &document {
        outcome.confirmed = document::confirmed(document, answer);
        outcome.refuted = document::refuted(document);
        outcome.line = document::line(document, &source.path);
        outcome.proof = document::proof(document);
        outcome.engine = document.engine.clone();
    }
    (outcome, document)
}
