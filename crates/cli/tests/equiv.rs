//! `reprove equiv` as a process: verdicts and exit codes agree under every flag, and the files it writes say
//! what they should.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn equiv(folder: &Path, arguments: &[&str]) -> Ran {
    run(folder, &[&["equiv", "--store", "none"], arguments].concat())
}

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    let done = Command::new(TOOL)
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) }
}

const PLUS: &str = "int f(int x) { return x + x; }\n";
const TIMES: &str = "int f(int y) { int r = 2 * y; return r; }\n";
const SQUARE: &str = "int f(int x) { return x * x; }\n";
const FLOAT: &str = "long double f(long double x) { return x * 3 / 3; }\n";
const FLOAT_SAME: &str = "long double f(long double x) { return x / 3 * 3; }\n";

/// The last line, the exit code, and the JSON document must tell the same.
fn check(old: &str, new: &str, flags: &[&str], verdict: &str, code: i32) -> Value {
    let folder = folder(&[("old.c", old), ("new.c", new)]);
    let arguments = |more: &[&'static str]| -> Vec<&str> {
        let flags = flags.iter().copied();
        ["old.c", "new.c"].into_iter().chain(flags).chain(more.iter().copied()).collect()
    };
    for more in [&[][..], &["--explain"], &["--color", "always"]] {
        let ran = equiv(folder.path(), &arguments(more));
        let last = ran.out.lines().last().unwrap_or_default();
        let word = last.split(" (").next().unwrap_or_default();
        assert_eq!((word, ran.code), (verdict, Some(code)), "{more:?}\n{}{}", ran.out, ran.err);
    }
    let ran = equiv(folder.path(), &arguments(&["--json"]));
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}\n{}", ran.out));
    assert_eq!(document["verdict"], verdict);
    assert_eq!((document["exit_code"].as_i64(), ran.code), (Some(code.into()), Some(code)));
    document
}

#[test]
fn verdicts_and_exit_codes() {
    let proved = check(PLUS, TIMES, &[], "EQUIVALENT", 0);
    assert!(proved["pairs"][0]["proof"]["predicates"].is_array(), "{proved}");
    assert!(proved["member"].is_string(), "{proved}");
    let differs = check(PLUS, SQUARE, &[], "NOT EQUIVALENT", 1);
    assert!(differs["pairs"][0]["difference"]["input"][0].is_string(), "{differs}");
    check(PLUS, SQUARE, &["--pre", "x == 2 || x == 0"], "EQUIVALENT", 0);
    check(
        PLUS,
        SQUARE,
        &["--pre", "x >= 0", "--pre", "x < 3", "--post", "result$1 >= result$2"],
        "EQUIVALENT",
        0,
    );
    check(PLUS, SQUARE, &["--post", "result$1 >= result$2"], "NOT EQUIVALENT", 1);
    let nobody = check(FLOAT, FLOAT_SAME, &["--members", "identical"], "UNKNOWN", 3);
    assert!(nobody["reason"].is_string() && nobody["member"].is_null(), "{nobody}");
    let same = check(PLUS, PLUS, &["--members", "identical"], "EQUIVALENT", 0);
    assert_eq!(same["member"], "identical");
}

#[test]
fn bad_input_is_a_document_too() {
    let folder = folder(&[("old.c", PLUS), ("new.c", TIMES), ("broken.c", "int f( {")]);
    let check = |arguments: &[&str], message: &str| {
        let plain = equiv(folder.path(), arguments);
        assert_eq!((plain.code, plain.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(plain.err.contains(message), "{arguments:?}: {}", plain.err);
        let ran = equiv(folder.path(), &[arguments, &["--json"]].concat());
        let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}\n{}", ran.out));
        let first = document["diagnostics"][0]["message"].as_str().unwrap_or_default();
        assert!(ran.code == Some(2) && first.contains(message), "{arguments:?}: {}", ran.out);
        assert!(document["verdict"].is_null());
    };
    check(&["old.c", "new.c", "--function", "g"], "no function 'g'");
    check(&["old.c", "new.c", "--pre", "z > 0"], "unknown name 'z'");
    check(&["old.c", "new.c", "--pre", "x = 1"], "");
    check(&["old.c", "new.c", "--post", ")"], "");
    check(&["old.c", "new.c", "--emit-horn", "no/such/folder"], "cannot write");
    check(&["old.c", "broken.c"], "expected");
    check(&["nowhere.c", "new.c"], "no such file");
}

#[test]
fn clauses_and_certificates() {
    let old = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 3; return s; }\n";
    let new = "int f(int n) { int s = 0; int k = 0; while (k < n) { k++; s += 3; } return s; }\n";
    let folder = folder(&[("old.c", old), ("new.c", new)]);
    let files = ["old.c", "new.c", "--int", "unbounded", "--emit-horn", "h.smt2", "--certificate", "c.smt2"];
    let ran = equiv(folder.path(), &files);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let clauses = fs::read_to_string(folder.path().join("h.smt2")).unwrap();
    let system = horn::from_smtlib(&clauses).unwrap_or_else(|e| panic!("{e}\n{clauses}"));
    assert!(system.clauses.len() > 3 && system.clauses.iter().any(|c| c.head.is_none()));
    let proof = fs::read_to_string(folder.path().join("c.smt2")).unwrap();
    let count = |what: &str| proof.matches(what).count();
    assert!(count("(define-fun") >= 3, "{proof}");
    assert_eq!(count("(check-sat)"), count("(assert (not ") + 1, "one more in the heading\n{proof}");
    let balance = proof.chars().fold(0i64, |n, c| n + i64::from(c == '(') - i64::from(c == ')'));
    assert_eq!(balance, 0);
    let differs = equiv(folder.path(), &["old.c", "old.c", "--post", "0", "--certificate", "none.smt2"]);
    assert_eq!((differs.code, folder.path().join("none.smt2").exists()), (Some(1), false), "{}", differs.out);
}

/// What was proved or refuted is so again from the certificate, as long as nothing was touched.
#[test]
fn certificates_are_checked_again() {
    let old = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 3; return s; }\n";
    let new = "int f(int n) { int s = 0; int k = 0; while (k < n) { k++; s += 3; } return s; }\n";
    let folder = folder(&[("old.c", old), ("new.c", new), ("other.c", SQUARE), ("none.json", "{}")]);
    let at = |name: &str| folder.path().join(name);
    let check = |arguments: &[&str], last: &str, code: i32| {
        let ran = run(folder.path(), arguments);
        let (out, err) = (ran.out.lines().last(), ran.err.lines().last());
        let said = out.or(err).unwrap_or_default();
        assert!(said.contains(last) && ran.code == Some(code), "{arguments:?}: {}{}", ran.out, ran.err);
    };
    for integers in ["machine", "unbounded"] {
        check(&["equiv", "old.c", "new.c", "--int", integers, "--certificate", "c.json"], "EQUIVALENT", 0);
        check(&["certify", "c.json", "old.c", "new.c", "--int", integers], "EQUIVALENT", 0);
    }
    check(&["equiv", "old.c", "other.c", "--certificate", "d.json"], "NOT EQUIVALENT", 1);
    check(&["certify", "d.json", "old.c", "other.c"], "NOT EQUIVALENT", 1);
    check(&["certify", "d.json", "old.c", "other.c", "--json"], "}", 1);

    // A proof that was tampered with proves nothing, or nothing any more.
    let text = fs::read_to_string(at("c.json")).unwrap();
    let weaker = text.replacen("(= ", "(<= ", 1);
    assert_ne!(text, weaker);
    fs::write(at("weaker.json"), weaker).unwrap();
    let unbounded = ["old.c", "new.c", "--int", "unbounded"];
    check(&[&["certify", "weaker.json"], &unbounded[..]].concat(), "UNKNOWN (", 3);
    // What is asked is said by who asks.
    check(&["certify", "c.json"], "which versions?", 2);
    check(&["certify", "c.json", "old.c"], "which versions?", 2);
    check(&["certify", "c.json", "old.c", "new.c"], "its integers is \"unbounded\", asked is \"machine\"", 2);
    check(&["certify", "c.json", "new.c", "old.c", "--int", "unbounded"], "new.c is not the file", 2);
    check(&["certify", "c.json", "old.c", "new.c", "--property", "p.prp"], "there is no --property", 2);

    fs::write(at("new.c"), new.replace("s += 3", "s += 4")).unwrap();
    check(&[&["certify", "c.json"], &unbounded[..]].concat(), "or has changed since", 2);
    check(&["certify", "none.json"], "not a certificate that can be checked", 2);
    check(&["certify", "old.c"], "not a certificate that can be checked", 2);
    check(&["certify", "nowhere.json"], "cannot read", 2);
}

/// What is not compared is listed with the verdict.
#[test]
fn what_is_not_compared_is_listed() {
    let check = |old: &str, new: &str, flags: &[&str], word: &str| {
        let document = check(old, new, &[flags, &["--timeout", "20"]].concat(), "EQUIVALENT", 0);
        let listed = document["assumptions"].to_string();
        assert!(listed.contains(word), "'{word}' is not in {listed}");
    };
    let malloc = "void *malloc(unsigned long);\n";
    let asks = "int f(unsigned long n) { void *p = malloc(n); if (!p) return 1; return 0; }\n";
    let trusts = "int f(unsigned long n) { malloc(n); return 0; }\n";
    check(&format!("{malloc}{asks}"), &format!("{malloc}{trusts}"), &[], "allocation");
    let ends = "void exit(int); void _exit(int); int printf(const char *, ...);\n";
    let end = |how: &str| format!("{ends}int f(int x) {{ printf(\"hello %d\", x); {how}(1); return 0; }}\n");
    check(&end("_exit"), &end("exit"), &[], "buffers");
    let trap = |how: &str| format!("void abort(void); int f(int x) {{ if (x == 5) {how}(); return x; }}\n");
    check(&trap("__builtin_trap"), &trap("abort"), &[], "trap");
    let weak = "__attribute__((weak)) int h(int x) { return x; }\n";
    let (calls, knows) = ("int f(int x) { return h(x) + 1; }\n", "int f(int x) { return x + 1; }\n");
    check(&format!("{weak}{calls}"), &format!("{weak}{knows}"), &["--function", "f"], "weak");
}

/// A global that one version keeps in a register and the other in memory starts with the same number: that is
/// not the reason.
#[test]
fn a_global_whose_address_one_version_takes() {
    let plain = "int g = 3; void f(int x) { g = x; }\n";
    let helper = "int g = 3; static void set(int *p, int v) { *p = v; } void f(int x) { set(&g, x); }\n";
    let other = helper.replace("g = 3", "g = 4");
    let reason = |new: &str| {
        let ran =
            equiv(folder(&[("old.c", plain), ("new.c", new)]).path(), &["old.c", "new.c", "--function", "f"]);
        assert_eq!(ran.code, Some(3), "{}", ran.out);
        ran.out
    };
    assert!(reason(helper).contains("its address is taken in one version only"));
    assert!(reason(&other).contains("starts with another value"));
}
