//! Answers about two versions are kept, and known again as long as nothing changed that they depend on.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const OLD: &str = "
static unsigned limit = 1000;
static unsigned scale(unsigned n) { return n * 2; }
unsigned sum(unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i <= n && i < limit; i++) s += scale(i);
    return s;
}
void grow(unsigned n) { limit = n; }
";
const NEW: &str = "
static unsigned limit = 1000;
static unsigned scale(unsigned n) { return n + n; }
unsigned sum(unsigned n) {
    unsigned s = 0, i = 0;
    while (i <= n && i < limit) { s = s + scale(i); i++; }
    return s;
}
void grow(unsigned n) { limit = n; }
";

fn write(folder: &Path, old: &str, new: &str) {
    fs::write(folder.join("old.c"), old).unwrap();
    fs::write(folder.join("new.c"), new).unwrap();
}

/// The verdict, and whether it is that of an earlier run.
fn ask(folder: &Path, more: &[&str]) -> (String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reprove"));
    command.args(["equiv", "old.c", "new.c", "--json", "--store", "store", "--function", "sum"]).args(more);
    let output = command.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (value["verdict"].as_str().unwrap().to_owned(), value["pairs"][0]["before"] == true)
}

#[test]
fn answers_are_known_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let check = |old: &str, new: &str, more: &[&str], verdict: &str, before: bool| {
        write(folder, old, new);
        assert_eq!(ask(folder, more), (verdict.to_owned(), before), "{old}{new}{more:?}");
    };
    let (same, different) = ("EQUIVALENT", "NOT EQUIVALENT");
    check(OLD, NEW, &[], same, false);
    check(OLD, NEW, &[], same, true);
    check(OLD, &NEW.replace("    return s", "\n\n    return s"), &[], same, true);
    // The proof itself is wanted.
    check(OLD, NEW, &["--certificate", "proof.json"], same, false);
    assert!(folder.join("proof.json").exists());
    // What nobody compares.
    let elsewhere = |text: &str| text.replace("limit = n;", "limit = n + 1;");
    check(&elsewhere(OLD), &elsewhere(NEW), &[], same, true);
    // A callee.
    let broken = NEW.replace("n + n", "n + n + (n == 77)");
    check(OLD, &broken, &[], different, false);
    check(OLD, &broken, &[], different, true);
    check(OLD, &NEW.replace("n + n", "n * 2"), &[], same, false);
    check(OLD, NEW, &[], same, true);
    // Other questions.
    check(OLD, NEW, &["--int", "unbounded"], same, false);
    check(OLD, NEW, &["--pre", "n < 5"], same, false);
    check(OLD, NEW, &["--pre", "n < 5"], same, false);
}

#[test]
fn constants_that_nobody_writes_are_part_of_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = |limit: &str, call: &str| {
        format!(
            "static int limit = {limit};
             int sum(int n) {{ return n < {call} ? 1 : 0; }}"
        )
    };
    for (limit, verdict, before) in
        [("5", "EQUIVALENT", false), ("5", "EQUIVALENT", true), ("6", "NOT EQUIVALENT", false)]
    {
        write(folder, &text("5", "limit"), &text(limit, "limit"));
        assert_eq!(ask(folder, &[]), (verdict.to_owned(), before), "{limit}");
    }
}
