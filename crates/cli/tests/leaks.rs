//! Leaks, as people look for them: the programs of `bench/programs/leak`, and what is said of what is lost.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

fn verify(file: &Path, checks: &str) -> Value {
    let mut command = Command::new(TOOL);
    command.arg("verify").arg(file).args(["--check", checks, "--store", "none", "--first", "--json"]);
    let done = command.stdin(Stdio::null()).output().unwrap();
    serde_json::from_slice(&done.stdout).unwrap_or_else(|e| {
        panic!("{}: {e}\n{}", file.display(), String::from_utf8_lossy(&done.stderr));
    })
}

/// A program says in its second line what is expected, and in its third what is checked.
fn complaint(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let line = |number: usize, key: &str| {
        let found = text.lines().nth(number).and_then(|line| line.strip_prefix(key));
        found.unwrap_or_else(|| panic!("{}: no '{key}'", file.display())).trim().to_owned()
    };
    let (expected, checks) = (line(1, "// expect:"), line(2, "// checks:"));
    let document = verify(file, &checks);
    let verdict = document["verdict"].as_str().unwrap_or_default().to_lowercase();
    let failure = &document["counterexample"];
    let found = match &failure["place"]["line"] {
        Value::Null => verdict,
        line => format!("{verdict} {line}"),
    };
    let lost = &failure["memory"]["object"];
    let named = lost["kind"] == "heap" && lost["place"]["line"].is_number();
    match found == expected && (expected == "safe" || named) {
        true => None,
        false => Some(format!("{}: {found} instead of {expected}: {document}", file.display())),
    }
}

#[test]
fn programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs/leak");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 12);
    let wrong: Vec<String> = files.iter().filter_map(|file| complaint(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
