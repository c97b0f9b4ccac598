//! Cases as data: a line `== NAME | FLAGS | VERDICT`, and the program. `A or B` allows both verdicts; `+word`
//! behind them wants the word in what is printed, `-word` wants it not to be there.

use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

struct Case<'a> {
    name: &'a str,
    flags: &'a str,
    verdicts: Vec<&'a str>,
    words: Vec<&'a str>,
    text: String,
}

fn cases(data: &str) -> Vec<Case<'_>> {
    let mut list: Vec<Case> = Vec::new();
    for line in data.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let parts: Vec<&str> = head.split('|').map(str::trim).collect();
            let [name, flags, expected] = parts[..] else { panic!("a bad head: {line}") };
            let end = expected.find(" +").into_iter().chain(expected.find(" -")).min();
            let (verdicts, words) = expected.split_at(end.unwrap_or(expected.len()));
            let (verdicts, words) = (verdicts.split(" or ").collect(), words.split_whitespace().collect());
            list.push(Case { name, flags, verdicts, words, text: String::new() });
        } else if let Some(case) = list.last_mut() {
            case.text += line;
            case.text.push('\n');
        }
    }
    list
}

fn verdict(case: &Case) -> (&'static str, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), &case.text).unwrap();
    let mut command = Command::new(TOOL);
    command.args(["verify", "a.c", "--store", "none", "--timeout", "60"]).args(case.flags.split_whitespace());
    let done = command.current_dir(folder.path()).env("NO_COLOR", "1").stdin(Stdio::null()).output().unwrap();
    let out = String::from_utf8_lossy(&done.stdout).into_owned();
    let word = match done.status.code() {
        Some(0) => "SAFE",
        Some(1) => "UNSAFE",
        Some(2) => "bad input",
        Some(3) => "UNKNOWN",
        other => panic!("{}: exit code {other:?}", case.name),
    };
    (word, out + &String::from_utf8_lossy(&done.stderr))
}

pub fn check(data: &str) {
    let mut wrong = Vec::new();
    for case in cases(data) {
        let (found, said) = verdict(&case);
        let fits = |word: &&str| match word.strip_prefix('-') {
            Some(word) => !said.contains(word),
            None => said.contains(word.trim_start_matches('+')),
        };
        if !case.verdicts.contains(&found) || !case.words.iter().all(fits) {
            let (verdicts, words) = (case.verdicts.join(" or "), case.words.join(" "));
            wrong.push(format!("{} {}: {found}, not {verdicts} {words}\n{said}", case.name, case.flags));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
