//! `tests/versions`: versions of a program, verified one after the other with one store, in all the ways in
//! which the store can be used. The answer about each is the one from scratch; the first comes back at the end.

use crate::Run;
use crate::expected::Expected;
use crate::tool;
use crate::verify::{HOW, arguments, audit_is_open, judge, shown, ways};
use serde_json::Value;
use std::path::{Path, PathBuf};
use testing::case::{Case, files};

/// What is expected of a version; `decided` and `most` are about the first way only.
const WHAT: [&str; 3] = ["expect", "decided", "most"];

/// How the engine `predicate` can use what the store has.
const REUSE: [&str; 7] = [
    "",
    "--holes eager",
    "--reuse procedures",
    "--reuse loops",
    "--reuse precision",
    "--reuse precision,procedures,recheck",
    "--reuse procedures,loops --no-slice",
];

/// How others are asked: as usual, and with an audit of what is learned.
const AUDIT: [&str; 2] = ["", "--audit"];

pub fn trials() -> Result<Vec<(String, Run)>, String> {
    let mut list: Vec<(String, Run)> = Vec::new();
    for folder in folders("tests/versions")? {
        let name = shown(&folder);
        match history(&folder) {
            Ok((versions, ways)) => {
                for (i, way) in ways.into_iter().enumerate() {
                    let name = if i == 0 { name.clone() } else { format!("{name}({})", way.join(" ")) };
                    let versions = versions.clone();
                    list.push((name, Box::new(move || check(&versions, &way, i == 0))));
                }
            }
            Err(what) => list.push((name, Box::new(move || Err(what)))),
        }
    }
    Ok(list)
}

/// The folders in a folder.
pub fn folders(inside: &str) -> Result<Vec<PathBuf>, String> {
    let folder = testing::path(inside);
    let mut list: Vec<PathBuf> =
        files(&folder, "c")?.iter().filter_map(|f| f.parent()).map(Path::to_owned).collect();
    list.dedup();
    Ok(list)
}

/// The versions in order, and the ways to verify them.
fn history(folder: &Path) -> Result<(Vec<Case>, Vec<Vec<String>>), String> {
    let mut versions = Vec::new();
    for number in 1..=files(folder, "c")?.len() {
        // Only the first says how: it is the same for all.
        let keys = if number == 1 { [&HOW[..], &WHAT].concat() } else { WHAT.to_vec() };
        versions.push(Case::read(&folder.join(format!("{number}.c")), &keys)?);
    }
    let first = versions.first().ok_or("there are no versions")?;
    let reuse: &[&str] = if first.get("engine")? == Some("predicate") { &REUSE } else { &AUDIT };
    let mut list = Vec::new();
    for way in ways(first)? {
        list.extend(reuse.iter().map(|more| way.iter().cloned().chain(tool::words(more)).collect()));
    }
    Ok((versions, list))
}

fn check(versions: &[Case], way: &[String], first_way: bool) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let [Some(first), ..] = [versions.first()] else { return Err("there are no versions".to_owned()) };
    let mut plain = vec!["verify".to_owned(), "a.c".to_owned()];
    plain.extend(arguments(first)?.into_iter().chain(way.iter().cloned()));
    let with = |store: &str| [&plain[..], &["--store".to_owned(), store.to_owned()]].concat();
    let open = audit_is_open(first, way)?;
    for (step, version) in versions.iter().chain([first]).enumerate() {
        let expected = Expected::parse(version.need("expect")?)?;
        let expected = if open { expected.or_unknown() } else { expected };
        let name = shown(&version.path);
        std::fs::write(folder.path().join("a.c"), &version.text).map_err(|e| e.to_string())?;
        let new = step < versions.len();
        if new && first_way {
            let document = tool::document(folder.path(), &with("none"))?;
            judge(&expected, &document)
                .map_err(|what| format!("{name} from scratch: {what}\n{document:#}"))?;
        }
        let document = tool::document(folder.path(), &with("store"))?;
        let about = |what: String| {
            format!("{name}{}: {what}\n{}{document:#}", if new { "" } else { " again" }, decisions(&document))
        };
        judge(&expected, &document).map_err(about)?;
        if new && first_way {
            reused(version, &document).map_err(about)?;
        }
    }
    Ok(())
}

/// What is due to be decided about functions, and how much work may be done at most.
fn reused(version: &Case, document: &Value) -> Result<(), String> {
    for part in version.list("decided")?.into_iter().filter(|part| !part.is_empty()) {
        let (about, outcome) =
            part.rsplit_once(' ').ok_or_else(|| format!("'{part}' is no function with an outcome"))?;
        let list = document["decisions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let decided = list.iter().find(|d| d["about"] == about).map(|d| &d["outcome"]);
        if decided.is_none_or(|decided| decided != outcome) {
            return Err(format!("{about} is not {outcome}"));
        }
    }
    for limit in version.all("most") {
        let (names, most) = limit.split_once(" = ").ok_or_else(|| format!("'{limit}' has no number"))?;
        let most: f64 = most.parse().map_err(|_| format!("'{most}' is no number"))?;
        let figure = |name: &str| document["statistics"][name].as_f64().unwrap_or_default();
        let sum: f64 = names.split(" + ").map(figure).sum();
        if sum > most {
            return Err(format!("{names} = {sum}"));
        }
    }
    Ok(())
}

fn decisions(document: &Value) -> String {
    let list = document["decisions"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|d| format!("  {} {}: {}\n", d["outcome"], d["about"], d["reason"])).collect()
}
