//! Small programs (those of `tests/verify`) with one token changed, one version after the other, with one store:
//! the verdict is the one from scratch.

use crate::agree::{Tally, fault};
use crate::reuse::ways;
use crate::support::{Ask, Kept, ask, compile, with_stack};
use testing::Random;
use testing::case::{Case, files};
use testing::source::{Complaint, guarded, long};

/// In the headers of the programs; those with a timeout are hard.
const KEYS: &[&str] = &["expect", "engine", "timeout", "args"];

/// What a token may become.
const CHANGES: [(&str, &[&str]); 14] = [
    ("<", &["<=", ">", "!="]),
    ("<=", &["<", "=="]),
    (">", &[">=", "<", "!="]),
    (">=", &[">", "=="]),
    ("==", &["!=", "<=", ">="]),
    ("!=", &["==", "<"]),
    ("+", &["-"]),
    ("-", &["+"]),
    ("++", &["--"]),
    ("--", &["++"]),
    ("+=", &["-=", "="]),
    ("-=", &["+=", "="]),
    ("&&", &["||"]),
    ("||", &["&&"]),
];

/// Words and numbers, operators, and everything else one by one.
fn tokens(text: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => 1,
        '<' | '>' | '=' | '!' | '+' | '-' | '&' | '|' => 2,
        _ => 0,
    };
    let mut last = 0;
    for c in text.chars() {
        match list.last_mut() {
            Some(token) if kind(c) == last && last != 0 => token.push(c),
            _ => list.push(c.to_string()),
        }
        last = kind(c);
    }
    list
}

/// A version with one change, of those that still compile.
fn mutant(text: &str, random: &mut Random) -> Option<String> {
    let mut tokens = tokens(text);
    for _ in 0..50 {
        let at = random.below(tokens.len());
        let old = tokens[at].clone();
        let new = match old.parse::<i64>() {
            Ok(n) => (n + random.pick(&[-1, 1, 2])).max(0).to_string(),
            Err(_) => match CHANGES.iter().find(|(token, _)| *token == old) {
                Some((_, list)) => random.pick(list).to_owned(),
                None => continue,
            },
        };
        tokens[at] = new;
        let text = tokens.concat();
        if compile(&text).is_ok() {
            return Some(text);
        }
        tokens[at] = old;
    }
    None
}

fn history(versions: &[String], seed: u64, seconds: f64, tally: &Tally) -> Complaint {
    let kept = Kept::new();
    let ways = ways();
    let (way, settings) = &ways[if seed.is_multiple_of(2) { 0 } else { seed as usize / 2 % ways.len() }];
    for (i, text) in versions.iter().enumerate() {
        let program = compile(text).ok()?;
        let question = Ask { settings: settings.clone(), ..Ask::seconds(seconds) }.store(&kept.store);
        let asked = ask(&program, &question);
        tally.judged(&asked.judged);
        if asked.figure("summaries reused") > 0.0 {
            tally.add("with summaries");
        }
        let complain = |what: String| {
            let texts = versions[..=i].join("\n");
            Some(format!("{way}, version {i}: {what}\n{}{texts}", asked.decisions()))
        };
        if let Some(what) = fault(&program, &asked.judged, true) {
            return complain(what);
        }
        if asked.judged.decided() {
            let scratch = ask(&program, &Ask::seconds(seconds)).judged;
            if let Some(what) = fault(&program, &scratch, false) {
                return complain(format!("from scratch: {what}"));
            }
            if scratch.decided() && scratch.word() != asked.judged.word() {
                return complain(format!("{:?}, from scratch {scratch:?}", asked.judged));
            }
        }
    }
    None
}

/// The programs that the engine decides, in an order that does not depend on the machine.
fn programs() -> Vec<String> {
    let folders = ["loops", "calls", "memory"].map(|name| format!("tests/verify/predicate/{name}"));
    let files = folders.iter().flat_map(|name| files(&testing::path(name), "c").expect("the cases"));
    let cases = files.map(|path| Case::read(&path, KEYS).expect("a case"));
    cases.filter(|case| case.get("timeout") == Ok(None)).map(|case| case.program().to_owned()).collect()
}

fn mutants(seeds: std::ops::Range<u64>, length: usize, seconds: f64) {
    with_stack(|| {
        let texts = programs();
        let mut wrong = Vec::new();
        let tally = Tally::default();
        for seed in seeds {
            let mut random = Random(seed ^ 0x0dd);
            let first = texts[seed as usize * 7 % texts.len()].clone();
            let mut versions = vec![first.clone()];
            while versions.len() < length {
                let from = if random.rarely(2) { &first } else { &versions[versions.len() - 1] };
                let Some(new) = mutant(from, &mut random) else { break };
                versions.push(new);
            }
            let check = || guarded(|| history(&versions, seed, seconds, &tally));
            if let Some(what) = check() {
                println!("seed {seed}: {what}\n");
                wrong.push(format!("seed {seed}: {what}"));
            }
        }
        tally.demand(&["safe", "unsafe", "with summaries"]);
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
    });
}

#[test]
fn one_token_after_the_other() {
    mutants(0..8, 4, 1.0);
}

#[test]
#[ignore = "long"]
fn long_one_token_after_the_other() {
    mutants(long(300), 6, 2.0);
}
