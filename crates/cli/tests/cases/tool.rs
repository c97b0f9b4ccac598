//! The tool as a process, and what must never be in its answer.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

/// Seconds for one run, unless a case says otherwise: many times what any case needs on a machine that has
/// nothing else to do.
pub const SECONDS: &str = "60";

pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn run(folder: &Path, arguments: &[String]) -> Result<Done, String> {
    let mut command = Command::new(TOOL);
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").env_remove("REPROVE_STORE");
    let done = command.stdin(Stdio::null()).output().map_err(|e| format!("{TOOL}: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Done { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) })
}

/// The document of a run with `--json`; it must agree with the exit code.
pub fn document(folder: &Path, arguments: &[String]) -> Result<Value, String> {
    let mut all = arguments.to_vec();
    all.push("--json".to_owned());
    let done = run(folder, &all)?;
    let about = |what: String| format!("reprove {}: {what}\n{}{}", all.join(" "), done.out, done.err);
    let document: Value = serde_json::from_str(&done.out).map_err(|e| about(e.to_string()))?;
    let due = match document["verdict"].as_str() {
        Some("SAFE" | "EQUIVALENT") => 0,
        Some("UNSAFE" | "NOT EQUIVALENT") => 1,
        None => 2,
        Some(_) => 3,
    };
    if done.code != Some(due) {
        return Err(about(format!("exit code {:?}, not {due}", done.code)));
    }
    Ok(document)
}

/// What is wrong whatever the verdict is: a claim that somebody else refuted, or did not accept.
pub fn fault(document: &Value) -> Option<String> {
    let attempts = document["attempts"].as_array().map(Vec::as_slice).unwrap_or_default();
    for attempt in attempts {
        let engine = attempt["engine"].as_str().unwrap_or_default();
        if attempt["claims_refuted"].as_f64().is_some_and(|count| count > 0.0) {
            return Some(format!("a claim of {engine} was refuted"));
        }
        let reason = attempt["reason"].as_str().unwrap_or_default();
        if ["not certified", "not confirmed", "internal error"].iter().any(|start| reason.starts_with(start))
        {
            return Some(format!("{engine}: {reason}"));
        }
    }
    None
}

/// An audit found a summary that is none.
pub fn wrong_interpolant(document: &Value) -> Option<String> {
    let decisions = document["decisions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let reasons = decisions.iter().filter_map(|d| d["reason"].as_str());
    reasons.filter(|r| r.contains("an interpolant is none")).map(str::to_owned).next()
}

/// Arguments that a case spells out, divided by blanks.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(str::to_owned)
}
