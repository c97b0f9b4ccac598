//! Certificates from strangers: whatever was edited in them, `reprove certify` accepts only what is true of
//! the sources that the user gives and is what the user asks; it runs no command and opens no file that a
//! certificate names.
//!
//! Every question below has a known answer. Certificates of the true ones are edited, by a generator with a
//! fixed seed: the claim becomes that of another question (as somebody would do who wants to pass it off for
//! that one), and the proof anything at all.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

/// How many certificates are edited.
const EDITED: u64 = 240;

/// A question, as the user puts it, and whether the answer is `SAFE` or `EQUIVALENT`.
struct Question {
    files: &'static str,
    options: &'static str,
    holds: bool,
    /// What its claim has besides the sources, where it is not the usual.
    claim: fn(&mut Value),
}

const fn ask(files: &'static str, options: &'static str, holds: bool, claim: fn(&mut Value)) -> Question {
    Question { files, options, holds, claim }
}

fn usual(_: &mut Value) {}

const SAFETY: &[Question] = &[
    ask("sum.c", "", true, usual),
    ask("sum.c", "--check overflow", false, |c| checks(c, &["assertion", "error_call", "overflow"])),
    ask("sum.c", "--property reach.prp", true, |c| property(c, "error_call", Some("reach_error"))),
    ask("sum.c", "--property overflow.prp", false, |c| property(c, "overflow", None)),
    ask("assert.c", "-DNDEBUG", true, |c| c["front"]["macros"] = json!(["-DNDEBUG"])),
    ask("assert.c", "", false, usual),
    ask("assert.c", "-DNDEBUG -UNDEBUG", false, |c| c["front"]["macros"] = json!(["-DNDEBUG", "-UNDEBUG"])),
    ask("long.c", "--target ilp32", true, |c| c["front"]["target"] = json!("ilp32")),
    ask("long.c", "", false, usual),
    ask("entry.c", "--entry f", true, |c| c["entry"] = json!("f")),
    ask("entry.c", "", false, usual),
    ask("bound.c", "", true, usual),
    ask("bound.c", "-DTOO_FAR=5", false, |c| c["front"]["macros"] = json!(["-DTOO_FAR=5"])),
    ask("calls.c", "", true, usual),
    ask("calls.c", "-DSTEP=2", false, |c| c["front"]["macros"] = json!(["-DSTEP=2"])),
    ask("calls-bad.c", "", false, usual),
    ask("std.c", "-std=c11", true, |c| c["front"]["flags"] = json!(["-std=c11"])),
    ask("std.c", "-std=c99", false, |c| c["front"]["flags"] = json!(["-std=c99"])),
];

const COMPARISONS: &[Question] = &[
    ask("twice.c twice-new.c", "", true, usual),
    ask("twice.c twice-new.c", "--int unbounded", true, |c| c["integers"] = json!("unbounded")),
    ask("twice.c twice-bad.c", "", false, usual),
    ask("half.c half-new.c", "--pre n>=0", true, |c| contract(c, "pre", json!(["n>=0"]))),
    ask("half.c half-new.c", "", false, usual),
    ask("half.c half-new.c", "--pre n>=-9", false, |c| contract(c, "pre", json!(["n>=-9"]))),
    ask("half.c half-new.c", "--post result$1>=result$2", true, |c| {
        contract(c, "post", json!(["result$1>=result$2"]));
    }),
    ask("half.c half-new.c", "--post result$1==result$2", false, |c| {
        contract(c, "post", json!(["result$1==result$2"]));
    }),
];

const FILES: &[(&str, &str)] = &[
    ("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    ("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n"),
    (
        "sum.c",
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n#define in __VERIFIER_nondet_int\n\
         int main(void) { int x = in(); int y = x + 1; if (x < 100 && x > 200) reach_error(); return y; }\n",
    ),
    (
        "assert.c",
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n#define in __VERIFIER_nondet_int\n\
         #ifdef NDEBUG\n#define CHECK(c) ((void)0)\n#else\n#define CHECK(c) if (!(c)) reach_error()\n#endif\n\
         int main(void) { int x = in(); CHECK(x != 7); if (x > 3 && x < 2) reach_error(); return 0; }\n",
    ),
    (
        "std.c",
        "void reach_error(void); int main(void) { if (__STDC_VERSION__ < 201112L) reach_error(); return 0; }\n",
    ),
    (
        "long.c",
        "void reach_error(void); int main(void) { unsigned long x = 0x80000000u; x += x;\n\
         if (x != 0) reach_error(); return 0; }\n",
    ),
    (
        "entry.c",
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n#define in __VERIFIER_nondet_int\n\
         int f(void) { int x = in(); if (x > 3 && x < 2) reach_error(); return 0; }\n\
         int main(void) { int x = in(); if (x == 3) reach_error(); return f(); }\n",
    ),
    (
        "bound.c",
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n#define in __VERIFIER_nondet_int\n#ifndef TOO_FAR\n#define TOO_FAR 7\n#endif\n\
         int main(void) { int i = 0; while (i < 6) { if (in()) break; i++; if (i == TOO_FAR) reach_error(); }\n\
         return 0; }\n",
    ),
    (
        "calls.c",
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n#define in __VERIFIER_nondet_int\n#ifndef STEP\n#define STEP 1\n#endif\n\
         int next(int x) { return x + STEP; }\n\
         int main(void) { int i = 0, n = in(); while (i < n && i < 1000) { i = next(i); }\n\
         if (i > 1000) reach_error(); if (i < 0) reach_error(); return 0; }\n",
    ),
    (
        "calls-bad.c",
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n#define in __VERIFIER_nondet_int\n\
         int next(int x) { return x + 1; }\n\
         int main(void) { int i = 0, n = in(); while (i < n && i < 1000) { i = next(i); }\n\
         if (i > 999) reach_error(); if (i < 0) reach_error(); return 0; }\n",
    ),
    ("twice.c", "int f(int n) { int s = 0; for (int k = 0; k < n; k++) s = s + 2 * k; return s; }\n"),
    (
        "twice-new.c",
        "int f(int n) { int t = 0; int k = 0; while (k < n) { t += k; t += k; k++; } return t; }\n",
    ),
    (
        "twice-bad.c",
        "int f(int n) { int t = 0; int k = 0; while (k < n) { t += k; t += 2; k++; } return t; }\n",
    ),
    ("half.c", "int f(int n) { return n / 2; }\n"),
    ("half-new.c", "int f(int n) { return n >> 1; }\n"),
];

fn checks(claim: &mut Value, kinds: &[&str]) {
    claim["front"]["checks"] = json!(kinds);
}

fn property(claim: &mut Value, kind: &str, function: Option<&str>) {
    checks(claim, &[kind]);
    claim["front"]["unknown_functions"] = json!("pure");
    if let Some(name) = function {
        claim["front"]["error_functions"] = json!([name]);
    }
}

fn contract(claim: &mut Value, field: &str, value: Value) {
    claim["pairs"][0]["contract"][field] = value;
}

impl Question {
    /// Its claim, written by hand.
    fn asked(&self, folder: &Path) -> Value {
        let source = |file: &str| {
            let bytes = fs::read(folder.join(file)).unwrap();
            json!([{"file": file, "blake3": certify::hash(&bytes)}])
        };
        let front = json!({
            "target": "lp64",
            "macros": [],
            "flags": [],
            "checks": ["assertion", "error_call"],
            "error_functions": ["__VERIFIER_error", "reach_error", "ldv_error"],
            "unknown_functions": if self.files.contains(' ') { "pure" } else { "havoc" },
            "malloc_may_fail": false,
        });
        let mut claim = match self.files.split_once(' ') {
            None => json!({"sources": source(self.files), "front": front, "entry": "main"}),
            Some((old, new)) => json!({
                "sources": [source(old), source(new)],
                "front": front,
                "integers": "machine",
                "pairs": [{
                    "functions": ["f", "f"],
                    "contract": {
                        "equal_inputs": true, "equal_memory": true, "pre": [], "post": null, "assumed": [],
                    },
                }],
            }),
        };
        (self.claim)(&mut claim);
        claim
    }

    fn words(&self) -> Vec<&str> {
        self.files.split(' ').chain(self.options.split_whitespace()).collect()
    }
}

/// What the tool did.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn last(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

/// The folder comes first in the search for commands: its `cc` notes what it is given.
fn reprove<'a>(folder: &Path, words: impl IntoIterator<Item = &'a str>) -> Ran {
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

fn prepare() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::create_dir(folder.path().join("bin")).unwrap();
    let cc = folder.path().join("bin/cc");
    let log = folder.path().join("cc.log");
    let path = std::env::var("PATH").unwrap_or_default();
    let script = format!("#!/bin/sh\necho \"$@\" >> '{}'\nPATH='{path}' exec cc \"$@\"\n", log.display());
    fs::write(&cc, script).unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(&cc, fs::Permissions::from_mode(0o755)).unwrap();
    // Who opens it waits for ever.
    assert!(Command::new("mkfifo").arg(folder.path().join("injected.c")).status().unwrap().success());
    folder
}

/// A small generator of numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Paths to everything in a value, as JSON pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), found));
        }
        Value::Object(map) => map.iter().for_each(|(name, v)| places(v, &format!("{at}/{name}"), found)),
        _ => {}
    }
}

/// Somewhere below `root`, something else.
fn edit(random: &mut Random, whole: &mut Value, root: &str) {
    let mut all = Vec::new();
    places(whole.pointer(root).unwrap_or(&Value::Null), root, &mut all);
    let place = all[random.below(all.len())].clone();
    let other = all[random.below(all.len())].clone();
    let other = whole.pointer(&other).cloned().unwrap_or_default();
    let Some(value) = whole.pointer_mut(&place) else { return };
    *value = match value.take() {
        Value::String(text) => match random.below(8) {
            0 => json!("true"),
            1 => json!("false"),
            2 => json!(format!("(or {text} true)")),
            3 => json!(format!("(and {text} false)")),
            4 => json!(format!("(not {text})")),
            5 => json!(random.pick(&["injected.c", "$(touch injected)", "-fplugin=injected", "@injected"])),
            6 => {
                json!(random.pick(&["main", "f", "next", "unbounded", "bitvectors", "(_ BitVec 4294967295)"]))
            }
            _ => other,
        },
        Value::Number(n) => {
            let n = n.as_i64().unwrap_or(0);
            json!([0, 1, n + 1, n - 1, n * 1000, -1, i64::from(u32::MAX), i64::MAX][random.below(8)])
        }
        Value::Bool(b) => json!(!b),
        Value::Array(mut list) => {
            let at = random.below(list.len());
            match random.below(4) {
                0 => list.clear(),
                1 if at < list.len() => drop(list.remove(at)),
                2 if at < list.len() => list.push(list[at].clone()),
                _ => list.reverse(),
            }
            Value::Array(list)
        }
        Value::Object(mut map) => {
            let names: Vec<String> = map.keys().cloned().collect();
            match random.below(3) {
                0 if !names.is_empty() => drop(map.remove(&names[random.below(names.len())])),
                1 => drop(map.insert("cc".to_owned(), json!("touch injected"))),
                _ => drop(map.insert(random.pick(&["checks", "macros", "files", "pre"]).to_owned(), other)),
            }
            Value::Object(map)
        }
        Value::Null => other,
    };
}

/// A certificate that was edited, and what it is shown for.
struct Case<'a> {
    text: String,
    asked: &'a Question,
    what: String,
}

/// The certificates of all that holds; each is accepted for what it is.
fn originals<'q>(folder: &Path, list: &'q [Question]) -> Vec<(&'q Question, Value)> {
    let mut made = Vec::new();
    for question in list.iter().filter(|question| question.holds) {
        let command = if question.files.contains(' ') { "equiv" } else { "verify" };
        let words = [command].into_iter().chain(question.words()).chain(["--certificate", "made.json"]);
        let ran = reprove(folder, words);
        assert_eq!(ran.code, Some(0), "{:?} {}\n{}{}", question.files, question.options, ran.out, ran.err);
        let again = ran.err.lines().find_map(|line| line.strip_prefix("note: to check it again: reprove "));
        let again = again.unwrap_or_else(|| panic!("no command in {}", ran.err)).replace('\'', "");
        let checked = reprove(folder, again.split(' '));
        assert_eq!(checked.code, Some(0), "{again}\n{}{}", checked.out, checked.err);
        let text = fs::read_to_string(folder.join("made.json")).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["claim"], question.asked(folder), "{} {}", question.files, question.options);
        made.push((question, value));
    }
    made
}

fn cases<'q>(folder: &Path, list: &'q [Question], count: u64, seed: u64) -> Vec<Case<'q>> {
    let originals = originals(folder, list);
    let false_ones: Vec<&Question> = list.iter().filter(|q| !q.holds).collect();
    let make = |i: u64| {
        let mut random = Random(seed + i * 7919);
        let (from, original) = &originals[random.below(originals.len())];
        let mut value = original.clone();
        // What is false, where the sources are the same, is most tempting.
        let near: Vec<&Question> = list.iter().filter(|q| q.files == from.files && !q.holds).collect();
        let asked = match random.below(4) {
            0 => *from,
            1 => random.pick(&list.iter().collect::<Vec<_>>()),
            2 if !near.is_empty() => random.pick(&near),
            _ => random.pick(&false_ones),
        };
        let mut what = format!("{} {} -> {} {}", from.files, from.options, asked.files, asked.options);
        if random.below(5) > 0 {
            value["claim"] = asked.asked(folder);
            what += ", claim of the other";
        }
        for _ in 0..random.below(4) {
            let root = random.pick(&["/proof", "/proof", "/proof", "/claim", ""]);
            edit(&mut random, &mut value, root);
            what += &format!(", edited below '{root}'");
        }
        let mut text = value.to_string();
        if random.below(20) == 0 {
            text.truncate(text.len() * random.below(100) / 100);
            what += ", truncated";
        }
        Case { text, asked, what }
    };
    (0..count).map(make).collect()
}

/// Judges one case: is it accepted?
fn judge(folder: &Path, case: &Case, file: &str) -> bool {
    fs::write(folder.join(file), &case.text).unwrap();
    let words = ["certify", file].into_iter().chain(case.asked.words()).chain(["--timeout", "10"]);
    let ran = reprove(folder, words);
    let about = || format!("{}\n{}{}{}", case.what, ran.out, ran.err, case.text);
    assert!(!ran.err.contains("internal error"), "{}", about());
    match ran.code {
        Some(0) => {
            assert!(case.asked.holds, "accepted, and false: {}", about());
            let value: Value = serde_json::from_str(&case.text).unwrap();
            let (mut claimed, mut asked) = (value["claim"].clone(), case.asked.asked(folder));
            // The answer is about what was asked, and says so.
            let front = asked["front"].clone();
            for field in ["macros", "flags", "checks", "error_functions"] {
                let words: Vec<&str> =
                    front[field].as_array().unwrap().iter().flat_map(Value::as_str).collect();
                let said = if words.is_empty() { "none".to_owned() } else { words.join(", ") };
                let line = format!("{}: {said}\n", field.replace('_', " "));
                assert!(ran.out.contains(&line), "no {line} in {}", about());
            }
            assert!(
                ran.out.contains(&format!("target: {}\n", front["target"].as_str().unwrap())),
                "{}",
                about()
            );
            assert!(matches!(ran.last(), "SAFE" | "EQUIVALENT"), "{}", about());
            for claim in [&mut claimed, &mut asked] {
                let sources = claim["sources"].to_string();
                // Names of files are for people.
                claim["sources"] = json!(sources.matches("\"blake3\":").count());
            }
            assert_eq!(claimed, asked, "{}", about());
            true
        }
        Some(1) => {
            assert_eq!(ran.last(), "NOT EQUIVALENT", "{}", about());
            assert!(!case.asked.holds, "{}", about());
            false
        }
        Some(2) => {
            assert!(ran.out.is_empty() && ran.err.starts_with("error: "), "{}", about());
            false
        }
        Some(3) => {
            assert!(ran.last().starts_with("UNKNOWN ("), "{}", about());
            false
        }
        other => panic!("{other:?}: {}", about()),
    }
}

/// Whatever is no certificate of this version is refused at once, with a reason and exit code 2.
#[test]
fn what_is_none() {
    let folder = prepare();
    let (question, original) = &originals(folder.path(), &SAFETY[..1])[0];
    let check = |content: &[u8], expected: &str| {
        fs::write(folder.path().join("x.json"), content).unwrap();
        let start = Instant::now();
        let ran = reprove(folder.path(), ["certify", "x.json"].into_iter().chain(question.words()));
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
    check(&with("version", json!(1)), "it has format 1, of an older version of this tool, which reads 6");
    check(&with("version", json!(7)), "it has format 7, of a newer version of this tool, which reads 6");
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
    let other = originals(folder.path(), &SAFETY[13..14])[0].1.to_string();
    check(other.as_bytes(), "sum.c is not the file that it was made for (\"calls.c\")");
    let ran = reprove(folder.path(), ["certify", "made.json"]);
    assert!(ran.code == Some(2) && ran.err.contains("reprove certify made.json FILE..."), "{}", ran.err);
    // A large one is not read.
    let large = fs::File::create(folder.path().join("large.json")).unwrap();
    large.set_len(1 << 30).unwrap();
    let start = Instant::now();
    for name in ["large.json", "/dev/zero"] {
        let ran = reprove(folder.path(), ["certify", name, "sum.c"]);
        assert!(ran.code == Some(2) && ran.err.contains("longer than 64 MiB"), "{}{}", ran.out, ran.err);
    }
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(!folder.path().join("injected").exists());
}

/// What a compilation database lists is known by its preprocessed text.
#[test]
fn databases() {
    let folder = prepare();
    let entry = json!([{"directory": folder.path(), "file": "sum.c", "command": "./injected -c sum.c"}]);
    fs::write(folder.path().join("compile_commands.json"), entry.to_string()).unwrap();
    let ran = reprove(folder.path(), ["verify", "compile_commands.json", "--certificate", "db.json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let check = |expected: Option<i32>, said: &str| {
        let ran = reprove(folder.path(), ["certify", "db.json", "compile_commands.json"]);
        assert_eq!(ran.code, expected, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains(said) || ran.err.contains(said), "{}{}", ran.out, ran.err);
    };
    check(Some(0), "sum.c (BLAKE3 ");
    let text = fs::read_to_string(folder.path().join("sum.c")).unwrap();
    fs::write(folder.path().join("sum.c"), text.replace("100", "300")).unwrap();
    check(Some(2), "sum.c is not the file that it was made for");
    assert!(!folder.path().join("injected").exists());
}

#[test]
fn edited_certificates() {
    let folder = prepare();
    let mut cases = cases(folder.path(), SAFETY, EDITED * 2 / 3, 1);
    cases.extend(self::cases(folder.path(), COMPARISONS, EDITED / 3, 2));
    let next = Mutex::new(cases.iter().enumerate());
    let accepted = Mutex::new(0);
    let take = || next.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get().min(8)) {
            scope.spawn(|| {
                while let Some((i, case)) = take() {
                    let yes = judge(folder.path(), case, &format!("{i}.json"));
                    *accepted.lock().unwrap() += usize::from(yes);
                }
            });
        }
    });
    let accepted = accepted.into_inner().unwrap();
    let untrue = cases.iter().filter(|case| !case.asked.holds).count();
    println!(
        "{} edited certificates, {untrue} for what is not so: {accepted} accepted, all rightly",
        cases.len()
    );
    // Some edits change nothing that matters.
    assert!(accepted > 0 && accepted < cases.len() / 2, "{accepted} of {}", cases.len());
    let given = fs::read_to_string(folder.path().join("cc.log")).unwrap();
    assert!(!given.contains("injected"), "{given}");
    assert!(!folder.path().join("injected").exists());
}
