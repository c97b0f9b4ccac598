//! Runs the tool on a certificate, and says whether what it answers is right.

use crate::questions::{Question, Truth, folder};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

/// What the tool did.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    fn last(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

/// The folder comes first in the search for commands: its `cc` notes what it is given.
pub fn reprove<'a>(folder: &Path, words: impl IntoIterator<Item = &'a str>) -> Ran {
    let path = std::env::var("PATH").unwrap_or_default();
    let done = Command::new(TOOL)
        .args(words)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("REPROVE_STORE", "none")
        .env("PATH", format!("{}:{path}", folder.join("bin").display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) }
}

/// A folder with all files of `tests/certificates`.
pub fn prepare() -> tempfile::TempDir {
    let here = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, here.path().join(path.file_name().unwrap())).unwrap();
    }
    fs::create_dir(here.path().join("bin")).unwrap();
    let cc = here.path().join("bin/cc");
    let log = here.path().join("cc.log");
    let path = std::env::var("PATH").unwrap_or_default();
    let script = format!("#!/bin/sh\necho \"$@\" >> '{}'\nPATH='{path}' exec cc \"$@\"\n", log.display());
    fs::write(&cc, script).unwrap();
    fs::set_permissions(&cc, fs::Permissions::from_mode(0o755)).unwrap();
    // Who opens it waits for ever.
    assert!(Command::new("mkfifo").arg(here.path().join("injected.c")).status().unwrap().success());
    here
}

/// Nothing was run that a certificate names.
pub fn nothing_was_run(here: &Path) {
    let given = fs::read_to_string(here.join("cc.log")).unwrap();
    assert!(!given.contains("injected"), "{given}");
    assert!(!here.join("injected").exists());
}

/// The certificate of a question, which is accepted for what it is.
pub fn certificate(here: &Path, question: &Question, name: &str) -> Value {
    let command = if question.comparison { "equiv" } else { "verify" };
    let words = [command].into_iter().chain(question.words());
    let words = words.chain(question.made_by.iter().map(String::as_str)).chain(["--certificate", name]);
    let ran = reprove(here, words);
    let about = || format!("{}\n{}{}", question.name(), ran.out, ran.err);
    let expected = if question.truth == Truth::Differs { 1 } else { 0 };
    assert_eq!(ran.code, Some(expected), "{}", about());
    let again = ran.err.lines().find_map(|line| line.strip_prefix("note: to check it again: reprove "));
    let again = again.unwrap_or_else(|| panic!("no command in {}", about())).replace('\'', "");
    let checked = reprove(here, again.split(' '));
    assert_eq!(checked.code, Some(expected), "{again}\n{}{}", checked.out, checked.err);
    let value: Value = serde_json::from_str(&fs::read_to_string(here.join(name)).unwrap()).unwrap();
    assert_eq!(value["claim"], question.asked(), "{}", question.name());
    if let Some(kind) = &question.proof {
        let kinds = [&value["proof"]["argument"][kind], &value["proof"][0]["verdict"][kind]];
        assert!(kinds.iter().any(|found| !found.is_null()), "{} is not {kind}: {value:#}", question.name());
    }
    value
}

/// A certificate that was damaged, and what it is shown for.
pub struct Case<'a> {
    pub text: Vec<u8>,
    pub asked: &'a Question,
    pub what: String,
    /// It is none, or not of this claim: nothing but that may be said.
    pub malformed: bool,
}

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judged {
    Accepted,
    /// It is no certificate, or one of something else: exit code 2.
    NotOne,
    /// It does not prove what is asked, or nobody knows: exit code 3.
    Unknown,
}

/// Judges one case.
pub fn judge(here: &Path, case: &Case, file: &str) -> Judged {
    fs::write(here.join(file), &case.text).unwrap();
    let words = ["certify", file].into_iter().chain(case.asked.words()).chain(["--timeout", "10"]);
    let ran = reprove(here, words);
    fs::remove_file(here.join(file)).unwrap();
    let about = || {
        let text = String::from_utf8_lossy(&case.text).chars().take(20_000).collect::<String>();
        format!("{}: {}\n{}{}{text}", case.asked.name(), case.what, ran.out, ran.err)
    };
    assert!(!ran.err.contains("internal error") && ran.err.len() < 6000, "{}", about());
    let judged = match ran.code {
        Some(0 | 1) => {
            let (truth, words): (_, &[&str]) = match ran.code {
                Some(0) => (Truth::Holds, &["SAFE", "EQUIVALENT"]),
                _ => (Truth::Differs, &["NOT EQUIVALENT"]),
            };
            // Versions of which it is not known otherwise that they do not hold may be shown to differ.
            let differs = case.asked.comparison && case.asked.truth != Truth::Holds;
            assert!(case.asked.truth == truth || truth == Truth::Differs && differs, "false: {}", about());
            assert!(words.contains(&ran.last()), "{}", about());
            accepted_for_what_it_is(case, &ran, &about);
            Judged::Accepted
        }
        Some(2) => {
            assert!(ran.out.is_empty() && ran.err.starts_with("error: "), "{}", about());
            assert!(ran.err.lines().next().is_some_and(|line| line.len() > 20), "{}", about());
            Judged::NotOne
        }
        Some(3) => {
            assert!(ran.last().starts_with("UNKNOWN ("), "{}", about());
            Judged::Unknown
        }
        other => panic!("{other:?}: {}", about()),
    };
    assert!(!case.malformed || judged == Judged::NotOne, "{judged:?}: {}", about());
    judged
}

/// The answer is about what was asked, and says so.
fn accepted_for_what_it_is(case: &Case, ran: &Ran, about: &dyn Fn() -> String) {
    let value: Value = serde_json::from_slice(&case.text).unwrap();
    let (mut claimed, mut asked) = (value["claim"].clone(), case.asked.asked());
    let front = asked["front"].clone();
    for field in ["macros", "flags", "checks", "error_functions"] {
        let words: Vec<&str> = front[field].as_array().unwrap().iter().flat_map(Value::as_str).collect();
        let said = if words.is_empty() { "none".to_owned() } else { words.join(", ") };
        let line = format!("{}: {said}\n", field.replace('_', " "));
        assert!(ran.out.contains(&line), "no {line} in {}", about());
    }
    let target = format!("target: {}\n", front["target"].as_str().unwrap());
    assert!(ran.out.contains(&target), "{}", about());
    for claim in [&mut claimed, &mut asked] {
        // Names of files are for people.
        let sources = claim["sources"].to_string();
        claim["sources"] = json!(sources.matches("\"blake3\":").count());
    }
    assert_eq!(claimed, asked, "{}", about());
}
