//! `tests/verify`: programs, and what is true of them.

use crate::Run;
use crate::expected::{Expected, found, messages};
use crate::observe;
use crate::tool;
use serde_json::Value;
use std::path::Path;
use testing::case::{Case, files};
use testing::golden;
use testing::observe::Seen;

/// Keys that say how a program is verified; versions have them, too.
pub const HOW: [&str; 7] = ["engine", "check", "unwind", "target", "args", "timeout", "audit"];
/// Keys that say what is expected.
const WHAT: [&str; 7] = ["expect", "assumes", "assumes-not", "says", "fails", "object", "undefined"];

pub fn trials() -> Result<Vec<(String, Run)>, String> {
    let folder = testing::path("tests/verify");
    let mut list: Vec<(String, Run)> = Vec::new();
    for path in files(&folder, "c")? {
        let name = path.strip_prefix(&folder).unwrap_or(&path).with_extension("");
        let name = name.display().to_string();
        let ways = Case::read(&path, &[&HOW[..], &WHAT].concat()).and_then(|case| Ok((ways(&case)?, case)));
        match ways {
            Ok((ways, case)) => {
                let several = ways.len() > 1;
                for way in ways {
                    let name = if several { format!("{name}({})", way.join(" ")) } else { name.clone() };
                    let case = case.clone();
                    list.push((name, Box::new(move || check(&case, &way))));
                }
            }
            Err(what) => list.push((name, Box::new(move || Err(what)))),
        }
    }
    Ok(list)
}

/// One for each engine and each bound that the header names: the arguments in which they differ.
pub fn ways(case: &Case) -> Result<Vec<Vec<String>>, String> {
    let mut list = Vec::new();
    for engine in case.list("engine")? {
        for bound in case.list("unwind")? {
            let named = [("--engine", engine), ("--unwind", bound)];
            let named = named.into_iter().filter(|(_, value)| !value.is_empty());
            list.push(named.flat_map(|(name, value)| [name.to_owned(), value.to_owned()]).collect());
        }
    }
    Ok(list)
}

/// What all runs of a case are given.
pub fn arguments(case: &Case) -> Result<Vec<String>, String> {
    let mut list = vec!["--timeout".to_owned(), case.get("timeout")?.unwrap_or(tool::SECONDS).to_owned()];
    for (key, name) in [("check", "--check"), ("target", "--target")] {
        if let Some(value) = case.get(key)? {
            list.extend([name.to_owned(), value.to_owned()]);
        }
    }
    list.extend(tool::words(case.get("args")?.unwrap_or_default()));
    Ok(list)
}

/// From scratch. What one engine does is also asked with a store that has nothing, and with what the store has
/// then: as parts, and as a verdict.
fn check(case: &Case, way: &[String]) -> Result<(), String> {
    let path = &case.path;
    let expected = Expected::parse(case.need("expect")?)?;
    let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else {
        return Err(format!("{} is no file", path.display()));
    };
    let mut plain = vec!["verify".to_owned(), file.to_string_lossy().into_owned()];
    plain.extend(arguments(case)?.into_iter().chain(way.iter().cloned()));
    let store = tempfile::tempdir().map_err(|e| e.to_string())?;
    let stored = |more: &str| {
        let store = store.path().display().to_string();
        [&plain[..], &["--store".to_owned(), store], &tool::words(more).collect::<Vec<_>>()].concat()
    };
    let rounds = [
        ("from scratch", [&plain[..], &["--store".to_owned(), "none".to_owned()]].concat()),
        ("with an empty store", stored("--audit")),
        ("again, without verdicts", stored("--reuse precision,procedures,loops,recheck")),
        ("again", stored("")),
    ];
    let count = if case.get("engine")?.is_some() { rounds.len() } else { 1 };
    for (round, arguments) in &rounds[..count] {
        let document = tool::document(folder, arguments)?;
        let open = audit_is_open(case, arguments)?;
        if open {
            judge(&expected.or_unknown(), &document)
                .map_err(|what| about(round, arguments, &what, &document))?;
            continue;
        }
        judge(&expected, &document).map_err(|what| about(round, arguments, &what, &document))?;
        expectations(case, &document).map_err(|what| about(round, arguments, &what, &document))?;
        if expected.only_safe() && *round == "from scratch" {
            plausible(case, &document)?;
        }
        if expected.may_be_unknown() {
            break;
        }
    }
    let kept = path.with_extension("out");
    if kept.exists() {
        let printed = tool::run(folder, &rounds[0].1)?;
        return golden::compare(&kept, &without_times(&printed.out));
    }
    Ok(())
}

/// No random run fails, and what is undefined in one was said to be possible.
fn plausible(case: &Case, document: &Value) -> Result<(), String> {
    let seen = observe::runs(case)?;
    let warned = messages(document).iter().any(|text| text.contains("undefined behaviour can happen"));
    let assumed = document["assumptions"].as_array().is_some_and(|list| !list.is_empty());
    match seen {
        Seen { fails: true, .. } => Err("it is expected to be safe, and a random run fails".to_owned()),
        Seen { undefined: true, .. } if !warned && !assumed && case.get("undefined")? != Some("unsaid") => {
            Err("a random run has undefined behaviour, and nobody says so".to_owned())
        }
        _ => Ok(()),
    }
}

fn about(round: &str, arguments: &[String], what: &str, document: &Value) -> String {
    let text = serde_json::to_string_pretty(document).unwrap_or_default();
    format!("{round}: {what}\nreprove {}\n{text}", arguments.join(" "))
}

/// The second checker, which audits ask, knows less of memory than the first: some proofs it cannot confirm.
pub fn audit_is_open(case: &Case, arguments: &[String]) -> Result<bool, String> {
    match case.get("audit")? {
        None => Ok(false),
        Some("unknown") => Ok(arguments.iter().any(|argument| argument == "--audit")),
        Some(other) => Err(format!("'{other}' is nothing that is expected of an audit")),
    }
}

/// The verdict, and nothing that must not be in any answer.
pub fn judge(expected: &Expected, document: &Value) -> Result<(), String> {
    if let Some(fault) = tool::wrong_interpolant(document) {
        return Err(fault);
    }
    let found = found(document)?;
    if !expected.allows(&found) {
        return Err(format!("{found}, expected {expected}"));
    }
    match tool::fault(document) {
        Some(fault) if !expected.allows(&crate::expected::Verdict::Unknown(Some(fault.clone()))) => {
            Err(fault)
        }
        _ => Ok(()),
    }
}

/// What a header says besides the verdict.
fn expectations(case: &Case, document: &Value) -> Result<(), String> {
    let assumptions = document["assumptions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let assumed = |part: &str| assumptions.iter().filter_map(Value::as_str).any(|text| text.contains(part));
    if let Some(part) = case.all("assumes").find(|part| !assumed(part)) {
        return Err(format!("it does not assume '{part}'"));
    }
    if let Some(part) = case.all("assumes-not").find(|part| assumed(part)) {
        return Err(format!("it assumes '{part}'"));
    }
    let failure = &document["counterexample"];
    let attempts = document["attempts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let reasons = attempts.iter().map(|attempt| &attempt["reason"]);
    let texts = [&document["reason"], &failure["message"], &failure["memory"]["fault"]];
    let printed: Vec<&str> =
        texts.into_iter().chain(reasons).filter_map(Value::as_str).chain(messages(document)).collect();
    if let Some(part) = case.all("says").find(|part| !printed.iter().any(|text| text.contains(part))) {
        return Err(format!("it does not say '{part}'"));
    }
    if let Some(check) = case.get("fails")?
        && failure["check"] != check
    {
        return Err(format!("not a check of '{check}' fails"));
    }
    let object = &failure["memory"]["object"];
    match case.get("object")? {
        Some(kind) if object["kind"] != kind || !object["place"]["line"].is_number() => {
            Err(format!("it is not about an object of kind '{kind}' with a place"))
        }
        _ => Ok(()),
    }
}

/// Times are never the same twice.
fn without_times(text: &str) -> String {
    let word = |word: &str| match word.parse::<f64>() {
        Ok(_) if word.contains('.') => "T".to_owned(),
        _ => word.to_owned(),
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text.lines().map(|text| line(text) + "\n").collect()
}

/// The name of a file as part of a test's name.
pub fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
