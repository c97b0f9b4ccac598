//! What is read of the document that `reprove verify --json` prints.

use super::{Answer, Refuted};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is read of the tool's document.
#[derive(Deserialize)]
pub struct Document {
    verdict: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    why: Option<Why>,
    #[serde(default)]
    pub engine: String,
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

/// Why nobody knows.
#[derive(Deserialize)]
struct Why {
    kind: String,
    bound: Option<u32>,
}

#[derive(Deserialize)]
struct Checked {
    seconds: f64,
    #[serde(default)]
    queries: u64,
}

impl Document {
    /// Of the solver, by engines that count them and by the checker.
    pub fn queries(&self) -> Option<u64> {
        let checking = self.certificate.as_ref().map_or(0, |checked| checked.queries);
        self.sum("solver queries").map(|queries| queries + checking)
    }

    /// A figure of all engines that have it.
    pub fn sum(&self, name: &str) -> Option<u64> {
        let figures = self.attempts.iter().filter_map(|attempt| attempt.statistics.get(name)?.as_f64());
        figures.map(|figure| figure as u64).reduce(|a, b| a + b)
    }
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
    #[serde(default)]
    statistics: BTreeMap<String, serde_json::Value>,
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

pub fn classify(document: &Document, code: Option<i32>) -> (Answer, String) {
    let reason = document.reason.clone().unwrap_or_default();
    match (document.verdict.as_deref(), code) {
        (Some("SAFE"), Some(0)) => (Answer::Safe, reason),
        (Some("UNSAFE"), Some(1)) => (Answer::Unsafe, reason),
        (Some("UNKNOWN"), Some(3)) => (unknown(document.why.as_ref()), reason),
        (None, Some(2)) => {
            let error = document.diagnostics.iter().find(|d| d.severity == "error");
            (Answer::Refused, error.map(|d| d.message.clone()).unwrap_or_default())
        }
        (verdict, code) => (Answer::Crash, format!("verdict {verdict:?} with exit code {code:?}")),
    }
}

/// What finding and checking the proof took.
pub fn proof(document: &Document) -> Option<(f64, f64)> {
    let found = document.attempts.iter().filter(|attempt| attempt.engine == document.engine);
    Some((found.map(|attempt| attempt.seconds).sum(), document.certificate.as_ref()?.seconds))
}

pub fn refuted(document: &Document) -> Vec<Refuted> {
    let wrong = |attempt: &&Attempt| attempt.claims_refuted > 0;
    let of = |attempt: &Attempt| Refuted {
        engine: attempt.engine.clone(),
        reason: attempt.reason.clone().unwrap_or_default(),
    };
    document.attempts.iter().filter(wrong).map(of).collect()
}

pub fn confirmed(document: &Document, answer: Answer) -> bool {
    match answer {
        Answer::Safe => document.certified,
        Answer::Unsafe => document.counterexample.as_ref().is_some_and(|run| run.steps > 0),
        _ => false,
    }
}

/// Where the run was last in the file itself: what fails in a model of the C library fails where it is
/// called.
pub fn line(document: &Document, file: &Path) -> Option<u32> {
    let mut places =
        document.counterexample.as_ref()?.path.iter().rev().filter_map(|step| step.place.as_ref());
    places.find(|place| place.file == file).map(|place| place.line)
}

fn unknown(why: Option<&Why>) -> Answer {
    let Some(Why { kind, bound }) = why else { return Answer::Unsupported };
    match (kind.as_str(), *bound) {
        (_, Some(bound)) => Answer::SafeUpTo(bound),
        ("time", _) => Answer::Time,
        ("memory", _) => Answer::Memory,
        ("not confirmed", _) => Answer::NotConfirmed,
        ("not certified", _) => Answer::NotCertified,
        ("undefined", _) => Answer::Undefined,
        ("internal error", _) => Answer::Crash,
        _ => Answer::Unsupported,
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
        let unknown = |why: &str, expected: Answer| {
            check(&format!(r#"{{"verdict": "UNKNOWN", "why": {{{why}}}}}"#), 3, expected);
        };
        unknown(r#""kind": "bound", "bound": 12"#, Answer::SafeUpTo(12));
        unknown(r#""kind": "time""#, Answer::Time);
        unknown(r#""kind": "memory""#, Answer::Memory);
        unknown(r#""kind": "not confirmed""#, Answer::NotConfirmed);
        unknown(r#""kind": "not certified""#, Answer::NotCertified);
        unknown(r#""kind": "undefined""#, Answer::Undefined);
        unknown(r#""kind": "unsupported""#, Answer::Unsupported);
        unknown(r#""kind": "internal error""#, Answer::Crash);
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
    fn queries_of_engines_and_of_the_checker() {
        let check = |json: &str, expected: Option<u64>| {
            let document: Document = serde_json::from_str(json).unwrap();
            assert_eq!(document.queries(), expected, "{json}");
        };
        let engine = r#"{"engine": "a", "statistics": {"solver queries": 3.0}}"#;
        let checker = r#""certificate": {"seconds": 0.1, "queries": 2}"#;
        check(&format!(r#"{{"attempts": [{engine}]}}"#), Some(3));
        check(&format!(r#"{{"attempts": [{engine}], {checker}}}"#), Some(5));
        check(&format!("{{{checker}}}"), None);
    }

    #[test]
    fn figures_of_all_engines() {
        let check = |json: &str, expected: Option<u64>| {
            let document: Document = serde_json::from_str(json).unwrap();
            assert_eq!(document.sum("steps"), expected, "{json}");
        };
        check(r#"{"attempts": [{"engine": "a"}]}"#, None);
        let two =
            r#"{"engine": "a", "statistics": {"steps": 3.0}}, {"engine": "b", "statistics": {"steps": 4}}"#;
        check(&format!(r#"{{"attempts": [{two}, {{"engine": "c"}}]}}"#), Some(7));
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
