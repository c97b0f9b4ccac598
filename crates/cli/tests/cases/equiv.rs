//! `tests/equiv`: two versions, compared.
//!
//! Equal pairs must be proved. Different ones must be told apart; and, asked alone, the provers must not prove
//! them: a concrete run that happens to find the difference first would otherwise hide a wrong proof.

use crate::Run;
use crate::tool;
use crate::verify::shown;
use crate::versions::folders;
use serde_json::Value;
use std::path::Path;
use testing::case::Case;

const KEYS: [&str; 8] = ["expect", "integers", "function", "pre", "post", "target", "args", "timeout"];

/// The techniques that prove something about all inputs, and the seconds that they get for what is wrong.
const PROVERS: &str = "--members candidates,abstraction --timeout 0.7";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Equivalent,
    Different,
    /// Different, but no run shows it: what is called sees it, or the input is too rare.
    NotProved,
    /// Different in a way that proofs about runs that end do not see: one version does not end.
    Endless,
}

pub fn trials() -> Result<Vec<(String, Run)>, String> {
    let mut list: Vec<(String, Run)> = Vec::new();
    for folder in folders("tests/equiv")? {
        let name = shown(&folder);
        match questions(&folder) {
            Ok(questions) => {
                let several = questions.len() > 1;
                for (integers, expected, arguments) in questions {
                    let name = if several { format!("{name}({integers})") } else { name.clone() };
                    let folder = folder.clone();
                    list.push((name, Box::new(move || check(&folder, expected, &arguments))));
                }
            }
            Err(what) => list.push((name, Box::new(move || Err(what)))),
        }
    }
    Ok(list)
}

/// What is asked about a pair: with which integers, what is due, and the arguments. The first version says so.
fn questions(folder: &Path) -> Result<Vec<(String, Expected, Vec<String>)>, String> {
    let first = Case::read(&folder.join("1.c"), &KEYS)?;
    Case::read(&folder.join("2.c"), &[])?;
    let expected = match first.need("expect")? {
        "equivalent" => Expected::Equivalent,
        "different" => Expected::Different,
        "different or unknown" => Expected::NotProved,
        "different, endless" => Expected::Endless,
        other => return Err(format!("{}: '{other}' is nothing that can be expected", folder.display())),
    };
    let mut plain = ["equiv", "1.c", "2.c", "--store", "none"].map(str::to_owned).to_vec();
    for (key, name) in
        [("function", "--function"), ("pre", "--pre"), ("post", "--post"), ("target", "--target")]
    {
        plain.extend(first.all(key).flat_map(|value| [name.to_owned(), value.to_owned()]));
    }
    plain.extend(tool::words(first.get("args")?.unwrap_or_default()));
    let seconds = first.get("timeout")?.unwrap_or(tool::SECONDS);
    let mut list = Vec::new();
    for integers in first.list("integers")? {
        let mut arguments = plain.clone();
        if !integers.is_empty() {
            arguments.extend(["--int".to_owned(), integers.to_owned()]);
        }
        // Last, so that another limit can replace it.
        arguments.extend(["--timeout".to_owned(), seconds.to_owned()]);
        list.push((integers.to_owned(), expected, arguments));
    }
    Ok(list)
}

fn check(folder: &Path, expected: Expected, arguments: &[String]) -> Result<(), String> {
    let document = tool::document(folder, arguments)?;
    let about =
        |what: &str, document: &Value| Err(format!("{what}\nreprove {}\n{document:#}", arguments.join(" ")));
    match (document["verdict"].as_str(), expected) {
        (Some("EQUIVALENT"), Expected::Equivalent) => {}
        (Some("EQUIVALENT"), _) => return about("a wrong proof", &document),
        (Some("NOT EQUIVALENT"), Expected::Equivalent) => {
            return about("a difference that is none", &document);
        }
        (Some("NOT EQUIVALENT"), _) | (Some("UNKNOWN"), Expected::NotProved) => {}
        _ => return about("no answer", &document),
    }
    if matches!(expected, Expected::Different | Expected::NotProved) {
        let without_limit = &arguments[..arguments.len() - 2];
        let asked = [without_limit, &tool::words(PROVERS).collect::<Vec<_>>()].concat();
        let document = tool::document(folder, &asked)?;
        if believed(&document) {
            return about("a wrong proof, hidden by a concrete run", &document);
        }
    }
    Ok(())
}

/// Did a prover believe that the versions are equal, whatever became of it afterwards?
fn believed(document: &Value) -> bool {
    let pairs = document["pairs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let logs = pairs.iter().filter_map(|pair| pair["log"].as_array()).flatten();
    document["verdict"] == "EQUIVALENT"
        || logs.filter_map(Value::as_str).any(|line| line.contains(": proved"))
}
