//! The binary `reprove verify`, run as a user runs it: one process a program, with limits of time and memory.
//!
//! The exit code must fit the verdict. A process that is still there some seconds after its time limit is
//! killed and has none.

use crate::job::Source;
use crate::proc;
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
        let limit = Duration::from_secs(limits.seconds + GRACE);
        let ran = match proc::run(&argv, limit) {
            Ok(ran) => ran,
            Err(e) => {
                let reason = format!("cannot be run: {e}");
                return Outcome::bare(Answer::Crash, reason);
            }
        };
        let document = serde_json::from_str::<Document>(&ran.stdout);
        let (answer, reason) = match &document {
            _ if ran.timed_out => (Answer::Time, "did not keep its time limit".to_owned()),
            Ok(document) => classify(document, ran.code),
            Err(_) => {
                let last = ran.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                (Answer::Crash, format!("{:?}: {last}", ran.code))
            }
        };
        let confirmed = document.as_ref().is_ok_and(|document| confirmed(document, answer));
        let refuted = document.as_ref().map(refuted).unwrap_or_default();
        let line = document.as_ref().ok().and_then(|document| line(document, &source.path));
        let proof = document.as_ref().ok().and_then(proof);
        let engine = document.map(|document| document.engine).unwrap_or_default();
        Outcome { answer, seconds: ran.time.as_secs_f64(), reason, engine, confirmed, refuted, line, proof }
    }
}

/// What is read of the tool's document.
#[derive(Deserialize)]
struct Document {
    verdict: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    engine: String,
    #[serde(default)]
    certified: bool,
    #[serde(default)]
    counterexample: Option<Counterexample>,
    #[serde(default)]
    diagnostics: Vec<Diagnostic>,
    #[serde(default)]
    attempts: Vec<Attempt>,
    #[serde(default)]
    certificate: Option<Checked>,
}

#[derive(Deserialize)]
struct Checked {
    seconds: f64,
}

/// What finding and checking the proof took.
fn proof(document: &Document) -> Option<(f64, f64)> {
    let found = document.attempts.iter().filter(|attempt| attempt.engine == document.engine);
    Some((found.map(|attempt| attempt.seconds).sum(), document.certificate.as_ref()?.seconds))
}

/// What one engine said.
#[derive(Deserialize)]
struct Attempt {
    engine: String,
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    claims_refuted: u32,
}

/// The run that the interpreter made of a violation.
#[derive(Deserialize)]
struct Counterexample {
    steps: u64,
    #[serde(default)]
    path: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(default)]
    place: Option<Place>,
}

#[derive(Deserialize)]
struct Place {
    file: PathBuf,
    line: u32,
}

#[derive(Deserialize)]
struct Diagnostic {
    severity: String,
    message: String,
}

fn classify(document: &Document, code: Option<i32>) -> (Answer, String) {
    let reason = document.reason.clone().unwrap_or_default();
    match (document.verdict.as_deref(), code) {
        (Some("SAFE"), Some(0)) => (Answer::Safe, reason),
        (Some("UNSAFE"), Some(1)) => (Answer::Unsafe, reason),
        (Some("UNKNOWN"), Some(3)) => (unknown(&reason), reason),
        (None, Some(2)) => {
            let error = document.diagnostics.iter().find(|d| d.severity == "error");
            (Answer::Refused, error.map(|d| d.message.clone()).unwrap_or_default())
        }
        (verdict, code) => (Answer::Crash, format!("verdict {verdict:?} with exit code {code:?}")),
    }
}

fn refuted(document: &Document) -> Vec<Refuted> {
    let wrong = |attempt: &&Attempt| attempt.claims_refuted > 0;
    let of = |attempt: &Attempt| Refuted {
        engine: attempt.engine.clone(),
        reason: attempt.reason.clone().unwrap_or_default(),
    };
    document.attempts.iter().filter(wrong).map(of).collect()
}

fn confirmed(document: &Document, answer: Answer) -> bool {
    match answer {
        Answer::Safe => document.certified,
        Answer::Unsafe => document.counterexample.as_ref().is_some_and(|run| run.steps > 0),
        _ => false,
    }
}

/// Where the run was last in the file itself: what fails in a model of the C library fails where it is
/// called.
fn line(document: &Document, file: &Path) -> Option<u32> {
    let mut places =
        document.counterexample.as_ref()?.path.iter().rev().filter_map(|step| step.place.as_ref());
    places.find(|place| place.file == file).map(|place| place.line)
}

fn unknown(reason: &str) -> Answer {
    let bound = reason.strip_prefix("safe up to ").and_then(|rest| rest.split([':', ' ']).next());
    if let Some(bound) = bound.and_then(|k| k.parse().ok()) {
        Answer::SafeUpTo(bound)
    } else if reason.starts_with("time limit") {
        Answer::Time
    } else if reason.starts_with("memory limit") {
        Answer::Memory
    } else if reason.starts_with("not confirmed") {
        Answer::NotConfirmed
    } else if reason.starts_with("safe, but not certified") {
        Answer::NotCertified
    } else if reason.starts_with("undefined behaviour") {
        Answer::Undefined
    } else if reason.starts_with("internal error") {
        Answer::Crash
    } else {
        Answer::Unsupported
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_exit_codes() {
        let check = |json: &str, code: i32, expected: Answer| {
            let document: Document = serde_json::from_str(json).unwrap();
            assert_eq!(classify(&document, Some(code)).0, expected, "{json} {code}");
        };
        check(r#"{"verdict": "SAFE"}"#, 0, Answer::Safe);
        check(r#"{"verdict": "SAFE"}"#, 1, Answer::Crash);
        check(r#"{"verdict": "UNSAFE"}"#, 1, Answer::Unsafe);
        check(r#"{"verdict": "UNKNOWN", "reason": "safe up to 12"}"#, 3, Answer::SafeUpTo(12));
        check(r#"{"verdict": "UNKNOWN", "reason": "time limit reached"}"#, 3, Answer::Time);
        check(r#"{"verdict": "UNKNOWN", "reason": "memory limit reached"}"#, 3, Answer::Memory);
        check(r#"{"verdict": "UNKNOWN", "reason": "not confirmed: it ends"}"#, 3, Answer::NotConfirmed);
        check(
            r#"{"verdict": "UNKNOWN", "reason": "safe, but not certified: time"}"#,
            3,
            Answer::NotCertified,
        );
        check(
            r#"{"verdict": "UNKNOWN", "reason": "undefined behaviour: a null pointer"}"#,
            3,
            Answer::Undefined,
        );
        check(r#"{"verdict": "UNKNOWN", "reason": "inline assembly"}"#, 3, Answer::Unsupported);
        check(r#"{"verdict": "UNKNOWN", "reason": "internal error in the engine"}"#, 3, Answer::Crash);
        check(r#"{"diagnostics": [{"severity": "error", "message": "no main"}]}"#, 2, Answer::Refused);
    }

    #[test]
    fn claims_that_were_refuted() {
        let check = |json: &str, expected: &[&str]| {
            let document: Document = serde_json::from_str(json).unwrap();
            let engines: Vec<String> = refuted(&document).into_iter().map(|r| r.engine).collect();
            assert_eq!(engines, expected, "{json}");
        };
        check(r#"{"verdict": "SAFE"}"#, &[]);
        check(r#"{"attempts": [{"engine": "bmc", "statistics": {"steps": 3.0}}]}"#, &[]);
        check(r#"{"attempts": [{"engine": "bmc", "claims_refuted": 1}]}"#, &["bmc"]);
    }

    #[test]
    fn lines_of_violations() {
        let check = |steps: &str, expected: Option<u32>| {
            let json =
                format!(r#"{{"verdict": "UNSAFE", "counterexample": {{"steps": 3, "path": [{steps}]}}}}"#);
            let document: Document = serde_json::from_str(&json).unwrap();
            assert_eq!(line(&document, Path::new("a.c")), expected, "{json}");
        };
        let step = |file: &str, line: u32| format!(r#"{{"place": {{"file": "{file}", "line": {line}}}}}"#);
        check("", None);
        check(r#"{"kind": "failure"}"#, None);
        check(&format!("{}, {}", step("a.c", 4), step("a.c", 12)), Some(12));
        check(&format!("{}, {}", step("a.c", 4), step("string.c", 11)), Some(4));
        let safe: Document = serde_json::from_str(r#"{"verdict": "SAFE"}"#).unwrap();
        assert_eq!(line(&safe, Path::new("a.c")), None);
    }

    #[test]
    fn answers_are_confirmed_by_what_the_document_has() {
        let check = |json: &str, answer: Answer, expected: bool| {
            let document: Document = serde_json::from_str(json).unwrap();
            assert_eq!(confirmed(&document, answer), expected, "{json} {answer:?}");
        };
        check(r#"{"verdict": "SAFE", "certified": true}"#, Answer::Safe, true);
        check(r#"{"verdict": "SAFE"}"#, Answer::Safe, false);
        check(r#"{"verdict": "UNSAFE", "certified": true}"#, Answer::Unsafe, false);
        check(r#"{"verdict": "UNSAFE", "counterexample": {"steps": 3}}"#, Answer::Unsafe, true);
        check(r#"{"verdict": "UNKNOWN", "certified": true}"#, Answer::Time, false);
    }
}
