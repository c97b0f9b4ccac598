//! Certificates from strangers: whatever was edited in them, `reprove certify` accepts only what is true of
//! the sources that the user gives and is what the user asks; it runs no command and opens no file that a
//! certificate names.
//!
//! The questions of `tests/certificates` have known answers (`questions`). Certificates of the true ones are
//! damaged field by field (`damage`), and edited by a generator with a fixed seed (`edit`): the claim becomes
//! that of another question (as somebody would do who wants to pass it off for that one), and the proof
//! anything at all. There is one judge of all of them (`judge`).

mod damage;
mod edit;
mod judge;
mod questions;

use judge::{Case, Judged, certificate, judge, nothing_was_run, prepare, reprove};
use questions::{Question, Truth};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The certificates of all that is so.
fn originals<'q>(here: &Path, list: &'q [Question]) -> Vec<(&'q Question, Value)> {
    let so = list.iter().filter(|question| question.truth != Truth::Fails);
    so.map(|question| (question, certificate(here, question, "made.json"))).collect()
}

/// Judges all cases, on all processors; how many became what.
fn judge_all(here: &Path, cases: &[Case]) -> BTreeMap<Judged, usize> {
    let next = Mutex::new(cases.iter().enumerate());
    let figures = Mutex::new(BTreeMap::new());
    let take = || next.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get().min(8)) {
            scope.spawn(|| {
                while let Some((i, case)) = take() {
                    let judged = judge(here, case, &format!("{i}.json"));
                    *figures.lock().unwrap().entry(judged).or_default() += 1;
                }
            });
        }
    });
    nothing_was_run(here);
    let figures = figures.into_inner().unwrap();
    println!("{} certificates: {figures:?}", cases.len());
    figures
}

/// Whatever is no certificate of this version is refused at once, with a reason and exit code 2.
#[test]
fn what_is_none() {
    let here = prepare();
    let list = questions::all();
    let of = |name: &str| list.iter().find(|q| q.name() == name).unwrap_or_else(|| panic!("no {name}"));
    let question = of("sum.c");
    let original = certificate(here.path(), question, "made.json");
    let check = |content: &[u8], expected: &str| {
        fs::write(here.path().join("x.json"), content).unwrap();
        let start = Instant::now();
        let ran = reprove(here.path(), ["certify", "x.json"].into_iter().chain(question.words()));
        let about = format!("{}{}", ran.out, ran.err);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{about}");
        assert!(ran.err.contains(expected) && ran.err.len() < 4000, "no '{expected}' in {about}");
        assert!(start.elapsed() < Duration::from_secs(10), "{expected}");
    };
    let with = |field: &str, value: Value| {
        let mut edited = original.clone();
        edited[field] = value;
        edited.to_string().into_bytes()
    };
    let whole = original.to_string();
    check(b"", "not a certificate that can be checked: EOF");
    check(b"int main(void) { return 0; }", "not a certificate that can be checked");
    check(b"{}", "missing field");
    check(b"\x7fELF\xff\xfe\x00", "not a certificate: it is no text");
    check(&[0; 5000], "not a certificate that can be checked");
    check(&whole.as_bytes()[..whole.len() / 2], "not a certificate that can be checked: EOF");
    check(format!("{whole}{whole}").as_bytes(), "trailing characters");
    check(&with("version", json!(1)), "it has format 1, of an older version of this tool, which reads 7");
    check(&with("version", json!(8)), "it has format 8, of a newer version of this tool, which reads 7");
    check(&with("kind", json!("cake\u{1b}[31m\nSAFE")), "it is of kind");
    check(&with("proof", json!({})), "missing field");
    check(&with("\u{1b}[31mcc", json!("x")), "unknown field");
    for start in ["[", "{\"proof\":", "{\"version\": 2, \"claim\": [["] {
        check(start.repeat(1_000_000).as_bytes(), "not a certificate that can be checked");
    }
    // The old form: a compiler, and checks in two places.
    let old = json!({
        "kind": "program", "version": 1, "tool": "reprove 0.1.0",
        "front": {"target": "lp64", "cc": "touch injected", "checks": []}, "checks": ["overflow"],
        "sources": [{"file": "injected.c", "blake3": ""}], "entry": "main", "slice": null,
        "argument": {"unwinding": {"bound": 1}},
    });
    check(old.to_string().as_bytes(), "it has format 1");
    // Other programs, and no programs.
    let other = certificate(here.path(), of("calls.c"), "other.json").to_string();
    check(other.as_bytes(), "sum.c is not the file that it was made for (\"calls.c\")");
    let ran = reprove(here.path(), ["certify", "made.json"]);
    assert!(ran.code == Some(2) && ran.err.contains("reprove certify made.json FILE..."), "{}", ran.err);
    // A large one is not read.
    let large = fs::File::create(here.path().join("large.json")).unwrap();
    large.set_len(1 << 30).unwrap();
    let start = Instant::now();
    for name in ["large.json", "/dev/zero"] {
        let ran = reprove(here.path(), ["certify", name, "sum.c"]);
        assert!(ran.code == Some(2) && ran.err.contains("longer than 64 MiB"), "{}{}", ran.out, ran.err);
    }
    assert!(start.elapsed() < Duration::from_secs(10));
    nothing_was_run(here.path());
}

/// What a compilation database lists is known by its preprocessed text.
#[test]
fn databases() {
    let here = prepare();
    let entry = json!([{"directory": here.path(), "file": "sum.c", "command": "./injected -c sum.c"}]);
    fs::write(here.path().join("compile_commands.json"), entry.to_string()).unwrap();
    let ran = reprove(here.path(), ["verify", "compile_commands.json", "--certificate", "db.json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let check = |expected: Option<i32>, said: &str| {
        let ran = reprove(here.path(), ["certify", "db.json", "compile_commands.json"]);
        assert_eq!(ran.code, expected, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains(said) || ran.err.contains(said), "{}{}", ran.out, ran.err);
    };
    check(Some(0), "sum.c (BLAKE3 ");
    let text = fs::read_to_string(here.path().join("sum.c")).unwrap();
    fs::write(here.path().join("sum.c"), text.replace("x < 100", "x < 300")).unwrap();
    check(Some(2), "sum.c is not the file that it was made for");
    nothing_was_run(here.path());
}

/// Every field of every certificate, damaged in every way; a part of them each time, all of them if asked.
fn damaged(step: usize) {
    let here = prepare();
    let list = questions::all();
    let originals = originals(here.path(), &list);
    let mut cases = Vec::new();
    for (i, (question, original)) in originals.iter().enumerate() {
        // Of the same kind, so that it can be read.
        let other = originals[i + 1..].iter().chain(&originals[..i]);
        let other = other.clone().find(|(q, value)| q.comparison == question.comparison && value != original);
        let (_, other) = other.expect("there is more than one");
        let near: Vec<&Question> =
            list.iter().filter(|q| q.files == question.files && q.truth == Truth::Fails).collect();
        let damages = damage::of_fields(original).into_iter().chain(damage::of_text(original, other));
        for (n, damage) in damages.enumerate().filter(|(n, _)| (n + i).is_multiple_of(step)) {
            let damage::Damaged { text, what, malformed } = damage;
            // Some are shown for what is false, with its claim.
            let asked = near.get(n % (near.len() + 1)).copied();
            let passed_off = asked.and_then(|asked| {
                let mut value: Value = serde_json::from_slice(&text).ok()?;
                *value.get_mut("claim")? = asked.asked();
                let what = format!("{what}, passed off");
                Some(Case { text: value.to_string().into_bytes(), asked, what, malformed: false })
            });
            cases.push(passed_off.unwrap_or(Case { text, asked: question, what, malformed }));
        }
    }
    let figures = judge_all(here.path(), &cases);
    let number = |judged: Judged| figures.get(&judged).copied().unwrap_or(0);
    assert!(number(Judged::NotOne) * 2 > cases.len() && number(Judged::Unknown) > 0, "{figures:?}");
}

#[test]
fn damaged_certificates() {
    damaged(101);
}

#[test]
#[ignore = "long"]
fn damaged_certificates_long() {
    damaged(1);
}

/// Certificates that are edited several times, and shown for any question.
#[test]
fn edited_certificates() {
    let here = prepare();
    let list = questions::all();
    let (comparisons, programs): (Vec<Question>, Vec<Question>) =
        list.into_iter().partition(|question| question.comparison);
    let mut cases = edit::cases(&originals(here.path(), &programs), &programs, 160, 1);
    cases.extend(edit::cases(&originals(here.path(), &comparisons), &comparisons, 80, 2));
    let figures = judge_all(here.path(), &cases);
    // Some edits change nothing that matters.
    let accepted = figures.get(&Judged::Accepted).copied().unwrap_or(0);
    assert!(accepted > 0 && accepted < cases.len() / 2, "{figures:?}");
}
