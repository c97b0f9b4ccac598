//! `reprove verify` as a process: verdicts and exit codes agree under every flag, limits hold, the store is
//! never a reason to fail, and what `--write-test` writes does what it promises when it is compiled and run.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

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

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn verify(folder: &Path, arguments: &str) -> Ran {
    let mut command = Command::new(TOOL);
    command.arg("verify").args(arguments.split_whitespace()).env("NO_COLOR", "1").env_remove("REPROVE_STORE");
    run(command.current_dir(folder))
}

fn run(command: &mut Command) -> Ran {
    let done = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr) }
}

const INPUT: &str =
    "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n#include <assert.h>\n";

/// The text without its colours, of which there must be some.
fn plain(text: &str) -> String {
    let parts: Vec<&str> = text.split("\x1b[").collect();
    assert!(parts.len() > 1, "no colours: {text}");
    let rest = |part: &str| part.split_once('m').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    parts[..1].iter().map(|part| (*part).to_owned()).chain(parts[1..].iter().map(|part| rest(part))).collect()
}

/// The last line, the exit code, and the JSON document must tell the same.
fn check(text: &str, flags: &str, verdict: &str, code: i32) -> Value {
    let folder = folder(&[("a.c", &format!("{INPUT}{text}"))]);
    for more in ["", "--explain", "--quiet", "--color always", "--no-reuse", "--store none", "--audit"] {
        let mut ran = verify(folder.path(), &format!("a.c {flags} {more}"));
        if more == "--color always" {
            ran.out = plain(&ran.out);
        }
        let word = ran.last().split(" (").next().unwrap_or_default();
        assert_eq!((word, ran.code), (verdict, Some(code)), "{more}\n{}{}", ran.out, ran.err);
        if more == "--quiet" {
            assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
        }
    }
    let ran = verify(folder.path(), &format!("a.c {flags} --json"));
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}\n{}", ran.out));
    assert_eq!((&document["version"], &document["command"]), (&1.into(), &"verify".into()));
    assert_eq!(document["verdict"], verdict);
    assert_eq!((document["exit_code"].as_i64(), ran.code), (Some(code.into()), Some(code)));
    document
}

#[test]
fn verdicts_and_exit_codes() {
    let safe =
        check("int main(void) { int x = __VERIFIER_nondet_int(); assert(x * 2 % 2 == 0); }\n", "", "SAFE", 0);
    assert_eq!(safe["property"], serde_json::json!(["assertion", "error_call"]));
    assert!(safe["counterexample"].is_null() && safe["seconds"].is_number(), "{safe}");

    let text = "int main(void) {\nint x = __VERIFIER_nondet_int();\nif (x > 3)\nassert(x != 7); }\n";
    let found = check(text, "", "UNSAFE", 1);
    let counterexample = &found["counterexample"];
    assert_eq!(counterexample["check"], "assertion");
    assert_eq!(
        (&counterexample["place"]["file"], &counterexample["place"]["line"]),
        (&"a.c".into(), &7.into())
    );
    assert_eq!(counterexample["inputs"][0]["value"], "7");
    assert_eq!(counterexample["inputs"][0]["name"], "__VERIFIER_nondet_int");
    let texts: Vec<&str> =
        counterexample["path"].as_array().unwrap().iter().filter_map(|e| e["text"].as_str()).collect();
    assert!(texts.contains(&"x = __VERIFIER_nondet_int()") && texts.contains(&"x > 3"), "{texts:?}");

    let loops =
        "int main(void) {\nint n = __VERIFIER_nondet_int(), i = 0;\nwhile (i < n) i++;\nassert(i >= 0); }\n";
    let open = check(loops, "--unwind 2", "UNKNOWN", 3);
    assert_eq!(open["reason"], "safe up to 2: the loop at a.c:6 needs more rounds; --unwind 4 goes further");

    check("int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 > x; }\n", "", "SAFE", 0);
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 > x; }\n",
        "--check overflow",
        "UNSAFE",
        1,
    );
    check("int f(int x) { assert(x != 3); return x; }\n", "--entry f", "UNSAFE", 1);
}

#[test]
fn bad_input() {
    let folder = folder(&[
        (
            "a.c",
            "int main(void) { for (int i = 0; i < 3; i++) { } return 0; }\nint f(int);\nint g(void) { return f(1); }\n",
        ),
        ("bad.yml", "format_version: '2.0'\ninput_files: &x\n"),
        ("new.yml", "format_version: '9.0'\ninput_files: a.c\n"),
        ("java.yml", "format_version: '2.0'\ninput_files: a.c\noptions:\n  language: Java\n"),
        ("end.prp", "CHECK( init(main()), LTL(F end) )\n"),
    ]);
    let check = |arguments: &str, expected: &str| {
        let ran = verify(folder.path(), arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments}\n{}", ran.err);
        assert!(ran.err.contains(expected), "{arguments}\n{}", ran.err);
    };
    check("a.c --unwind 0", "the least bound is 1");
    check("a.c --unwind 2,main:1=0", "the least bound is 1");
    check("a.c --unwind-recursion 0 --unwind 1", "the least bound is 1");
    check("a.c --unwind 5000000000", "at most 4294967295");
    check("a.c --unwind main:1=3", "a bound for all other loops is needed");
    check("a.c --unwind auto,3", "not both");
    check("a.c --unwind 3,main:2=3", "'main' has 1 loop, and no loop 2");
    check("a.c --unwind 3,nothing:1=3", "no function 'nothing'");
    check("a.c --unwind-recursion 3", "needs a bound for loops too");
    check("a.c --timeout 0", "positive number of seconds");
    check("a.c --memory lots", "a number of bytes");
    check("a.c --entry mian", "did you mean 'main'?");
    check("a.c --entry f", "function 'f' has no body");
    check("missing.c", "missing.c");
    check("bad.yml", "bad.yml:2:16: error: input_files is neither the name of a file nor a list of names");
    check("new.yml", "format_version 9.0 is not supported");
    check("java.yml", "the language is Java");
    check("a.c --property end.prp", "termination is not supported");
    check("a.c end.prp", "termination is not supported");
    check("a.c --property missing.prp", "missing.prp: cannot read");
    check("a.c new.yml", "a task definition names all its files");
    check("a.c --dot no/such/folder.dot", "cannot write no/such/folder.dot");
    check("", "required");
    let json = verify(folder.path(), "a.c --unwind main:1=3 --json");
    let document: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json.code, &document["command"]), (Some(2), &"verify".into()));
}

#[test]
fn bounds() {
    let text = "int main(void) { int s = 0; for (int i = 0; i < 5; i++) for (int j = 0; j < 2; j++) s++; assert(s != 10); }\n";
    let folder = folder(&[("a.c", &format!("{INPUT}{text}"))]);
    let check = |flags: &str, expected: &str| {
        let ran = verify(folder.path(), &format!("a.c {flags}"));
        assert_eq!(ran.last(), expected, "{flags}\n{}{}", ran.out, ran.err);
    };
    check(
        "--unwind 3",
        "UNKNOWN (safe up to 3: the loop at a.c:4 needs more rounds; --unwind 4 goes further)",
    );
    check("--unwind 3,main:1=5", "UNSAFE");
    check("--unwind 5 --unwind main:1.1=2", "UNSAFE");
    check("--unwind auto", "UNSAFE");
    check("", "UNSAFE");
    check("--unwind 1000000", "UNSAFE");
}

#[test]
fn tasks_and_properties() {
    let program = "extern void reach_error(void);\nextern long nondet_long(void);\n\
                   int main(void) { long x = nondet_long(); int y = (int)x; y = y + 1;\n\
                   if (sizeof x == 4 && x == 5) reach_error(); return y; }\n";
    let task = |model: &str, properties: &str| {
        format!(
            "format_version: '2.0'\n\n# a comment\ninput_files: 'a.c'\n\nproperties:\n{properties}\noptions:\n  language: C\n  data_model: {model}\n"
        )
    };
    let reach =
        "  - property_file: p/unreach.prp\n    expected_verdict: false\n  - property_file: p/end.prp\n";
    let memory = "  - property_file: p/memory.prp\n    expected_verdict: true\n";
    let folder = folder(&[
        ("a.c", program),
        ("ilp32.yml", &task("ILP32", reach)),
        ("lp64.yml", &task("LP64", reach)),
        ("overflow.yml", &task("LP64", "  - property_file: p/overflow.prp")),
        ("memory.yml", &task("LP64", memory)),
        ("both.yml", &task("LP64", &format!("{memory}{reach}"))),
        (
            "one.yml",
            "format_version: \"1.0\"\ninput_files: [a.c]\nproperties:\n- property_file: p/unreach.prp\n",
        ),
        ("renamed.prp", "CHECK( init(start()), LTL(G ! call(oops())) )\n"),
        (
            "renamed.c",
            "void oops(void); void reach_error(void); void start(int x) { if (x == 3) oops(); }\n\
                       int main(void) { reach_error(); }\n",
        ),
    ]);
    fs::create_dir(folder.path().join("p")).unwrap();
    let property = |name: &str, text: &str| fs::write(folder.path().join("p").join(name), text).unwrap();
    property("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    property("overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    property("end.prp", "CHECK( init(main()), LTL(F end) )\n");
    let valid = |what: &str| format!("CHECK( init(main()), LTL(G valid-{what}) )\n");
    property("memory.prp", &["free", "deref", "memtrack"].map(valid).concat());
    property("deref.prp", &valid("deref"));
    let check = |arguments: &str, verdict: &str, also: &str| {
        let ran = verify(folder.path(), arguments);
        assert_eq!(ran.last(), verdict, "{arguments}\n{}{}", ran.out, ran.err);
        assert!(format!("{}{}", ran.out, ran.err).contains(also), "{arguments}\n{}{}", ran.out, ran.err);
    };
    check("ilp32.yml", "UNSAFE", "the task expects false\n");
    check("lp64.yml", "SAFE", "the task expects false, which is not so\n");
    check("overflow.yml", "UNSAFE", "a signed operation overflows");
    check("memory.yml", "SAFE", "");
    check("both.yml", "SAFE", "this is about p/unreach.prp, not about p/memory.prp");
    check("both.yml --property p/overflow.prp", "UNSAFE", "overflows");
    check("one.yml", "SAFE", "");
    check("a.c p/overflow.prp", "UNSAFE", "overflows");
    check("a.c --property p/deref.prp", "SAFE", "");
    check("renamed.c renamed.prp", "UNSAFE", "renamed.c:1");
    check("renamed.c", "UNSAFE", "renamed.c:2");
}

/// Compiles a program with what was written for it, and runs it: it must fail, unless there are doubts.
fn check_test(text: &str, flags: &str, doubt: Option<&str>) {
    let folder = folder(&[("a.c", text)]);
    let ran = verify(folder.path(), &format!("a.c {flags} --unknown-functions pure --write-test t.c"));
    assert_eq!(ran.last(), "UNSAFE", "{text}\n{}{}", ran.out, ran.err);
    match doubt {
        Some(doubt) => assert!(ran.err.contains(doubt), "{}", ran.err),
        None => assert!(!ran.err.contains("warning: t.c"), "{}", ran.err),
    }
    let written = fs::read_to_string(folder.path().join("t.c")).unwrap();
    assert_eq!(written.contains("may not fail"), doubt.is_some(), "{written}");
    let mut compile = Command::new("cc");
    compile.args(["-w", "-O1", "a.c", "t.c", "-o", "test", "-lm"]).current_dir(folder.path());
    if flags.contains("--check") {
        compile.args(["-fsanitize=undefined", "-fno-sanitize-recover=all"]);
    }
    let done = run(&mut compile);
    assert_eq!(done.code, Some(0), "{}\n{written}", done.err);
    let done = run(&mut Command::new(folder.path().join("test")));
    // A program that aborts has no exit code.
    let failed = done.code != Some(0);
    assert_eq!(
        failed,
        doubt.is_none_or(|d| d.contains("-fsanitize")),
        "{:?} {}\n{written}",
        done.code,
        done.out
    );
}

#[test]
fn tests_that_fail() {
    check_test(
        &format!(
            "{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int(); assert(x != -2147483647 - 1); }}\n"
        ),
        "",
        None,
    );
    // Values in order, functions that the run does not reach, an assumption, and an error function without a
    // body.
    check_test(
        "unsigned char __VERIFIER_nondet_uchar(void); long long nondet_longlong(void); _Bool nondet_bool(void);\n\
         void __VERIFIER_assume(int); void reach_error(void); int never(int), *also_never(void);\n\
         int main(void) { int s = 0; for (int i = 0; i < 3; i++) { unsigned char c = __VERIFIER_nondet_uchar();\n\
         __VERIFIER_assume(c < 10 && c > i); s = s * 10 + c; }\n if (s == 123 && nondet_longlong() == -5 && nondet_bool())\n\
         reach_error(); if (s == 1000) never(*also_never()); return 0; }\n",
        "",
        None,
    );
    // Floats to the bit, globals and results from elsewhere.
    check_test(
        "#include <assert.h>\nextern double measure(int); extern float nondet_float(void); extern int shared[3]; extern char one;\n\
         void log_it(const char *);\n\
         int main(void) { log_it(\"x\"); double d = measure(1), e = measure(2); float f = nondet_float();\n\
         if (d > 0.1 && d < 0.1000000001 && e != e && f == 0.5f && shared[2] == 9 && one == 'q') assert(0); return 0; }\n",
        "",
        None,
    );
    // Another entry, objects behind its pointers, and pointers in them.
    check_test(
        "struct node { int value; struct node *next; };\n\
         int check(struct node *n, float f, const char *text) {\n\
         if (n && n->value == 3 && n->next && n->next->value == 4 && f == 1.5f && text && text[1] == 'x')\n\
         __builtin_abort_if(); return 0; }\n"
            .replace("__builtin_abort_if()", "__CPROVER_assert(0, \"found\")")
            .as_str(),
        "--entry check",
        None,
    );
    check_test(
        "int nondet_int(void); int main(void) { int x = nondet_int(); return 7 / x; }\n",
        "--check div",
        Some("-fsanitize=undefined"),
    );
    check_test(
        "unsigned long strlcpy(char *, const char *, unsigned long), strlcat(char *, const char *, unsigned long);\n\
         void reach_error(void); int main(void) { char a[4]; unsigned long n = strlcpy(a, \"xy\", 4) + strlcat(a, \"zzz\", 4);\n\
         if (n == 7 && a[2] == 'z' && a[3] == 0) reach_error(); return 0; }\n",
        "",
        None,
    );
    // What cannot be set is said.
    check_test(
        "void reach_error(void); int main(void) { int x; if (x == 123456) reach_error(); return 0; }\n",
        "",
        Some("'x' in 'main' is used without a value; the violation needs 123456"),
    );
    check_test(
        "void reach_error(void) { } int main(void) { reach_error(); return 0; }\n",
        "",
        Some("the program's own 'reach_error' is the error, but does not end the program"),
    );
}

#[test]
fn limits() {
    let hard = "extern unsigned long __VERIFIER_nondet_ulong(void);\nint main(void) {\n\
                unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n\
                if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296) assert(a * b != 4611686018427387847ul); }\n";
    let folder = folder(&[("hard.c", &format!("{INPUT}{hard}"))]);
    let start = Instant::now();
    let ran = verify(folder.path(), "hard.c --timeout 1");
    assert_eq!((ran.last(), ran.code), ("UNKNOWN (time limit reached)", Some(3)), "{}{}", ran.out, ran.err);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    // No program fits: it ends all the same with a verdict.
    let ran = verify(folder.path(), "hard.c --memory 1M");
    assert_eq!((ran.last(), ran.code), ("UNKNOWN (memory limit reached)", Some(3)), "{}{}", ran.out, ran.err);
    let ran = verify(folder.path(), "hard.c --memory 1M --json");
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&document["verdict"], &document["reason"]),
        (&"UNKNOWN".into(), &"memory limit reached".into())
    );
}

/// Whatever the store is like, the verdict is the same, and what is wrong with it is a warning.
#[test]
fn stores() {
    let text = format!(
        "{INPUT}static int twice(int x) {{ return x + x; }}\nint main(void) {{ assert(twice(2) == 4); }}\n"
    );
    let check = |prepare: &dyn Fn(&Path), arguments: &str, warning: &str| {
        let folder = folder(&[("a.c", &text)]);
        prepare(folder.path());
        let ran = verify(folder.path(), &format!("a.c {arguments}"));
        assert_eq!((ran.last(), ran.code), ("SAFE", Some(0)), "{}{}", ran.out, ran.err);
        match warning {
            "" => assert_eq!(ran.err, ""),
            _ => {
                assert!(ran.err.contains("warning: ") && ran.err.contains(warning), "{warning}: {}", ran.err)
            }
        }
        // The next run finds the store in order, or says the same again.
        let again = verify(folder.path(), &format!("a.c {arguments}"));
        assert_eq!((again.last(), again.code), ("SAFE", Some(0)), "{}{}", again.out, again.err);
        let _ = fs::set_permissions(folder.path().join(".reprove"), fs::Permissions::from_mode(0o755));
    };
    let nothing = |_: &Path| {};
    let made = |folder: &Path| assert_eq!(verify(folder, "a.c").code, Some(0));
    let database = |folder: &Path| folder.join(".reprove/store.db");
    check(&nothing, "", "");
    check(&made, "", "");
    check(&nothing, "--store elsewhere/deep", "");
    check(&nothing, "--store none", "");
    check(&nothing, "--store a.c", "is not a folder");
    check(&|folder| fs::write(folder.join(".reprove"), "x").unwrap(), "", "is not a folder");
    let newer = |folder: &Path| {
        made(folder);
        let mut bytes = fs::read(database(folder)).unwrap();
        bytes[60..64].copy_from_slice(&99u32.to_be_bytes());
        fs::write(database(folder), bytes).unwrap();
    };
    check(&newer, "", "was written by a newer version of reprove");
    let truncated = |folder: &Path| {
        made(folder);
        let bytes = fs::read(database(folder)).unwrap();
        fs::write(database(folder), &bytes[..bytes.len().min(600)]).unwrap();
    };
    check(&truncated, "", "proof store");
    let garbage = |folder: &Path| {
        fs::create_dir(folder.join(".reprove")).unwrap();
        fs::write(
            database(folder),
            "this is no database, and is long enough to have had a header of its own",
        )
        .unwrap();
    };
    check(&garbage, "", "was set aside");
    let read_only = |folder: &Path| {
        made(folder);
        fs::set_permissions(database(folder), fs::Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(folder.join(".reprove"), fs::Permissions::from_mode(0o555)).unwrap();
    };
    // Permissions do not bind everybody.
    let probe = tempfile::tempdir().unwrap();
    fs::set_permissions(probe.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(probe.path().join("x"), "").is_err() {
        check(&read_only, "", "(nothing new is kept)");
    }
}

#[test]
fn the_store_is_where_it_should_be() {
    let folder = folder(&[("a.c", "int main(void) { return 0; }\n")]);
    let mut command = Command::new(TOOL);
    command.args(["verify", "a.c"]).current_dir(folder.path()).env("REPROVE_STORE", "kept");
    assert_eq!(run(&mut command).code, Some(0));
    assert!(folder.path().join("kept/store.db").is_file());
    assert!(!folder.path().join(".reprove").exists());
    let mut command = Command::new(TOOL);
    command.args(["verify", "a.c", "--store", "none"]).current_dir(folder.path());
    assert_eq!(run(&mut command).code, Some(0));
    assert!(!folder.path().join(".reprove").exists());
}

#[test]
fn several_files_and_graphs() {
    let folder = folder(&[
        (
            "main.c",
            "int limit(int); void __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(limit(3) < 9); return 0; }\n",
        ),
        ("old.c", "int limit(int x) { return x; }\n"),
        ("new.c", "int limit(int x) { return x + 5; }\n"),
    ]);
    let ran = verify(folder.path(), "main.c old.c --dot calls.dot");
    assert_eq!((ran.last(), ran.code), ("SAFE", Some(0)), "{}{}", ran.out, ran.err);
    let dot = fs::read_to_string(folder.path().join("calls.dot")).unwrap();
    assert!(dot.starts_with("digraph calls {") && dot.ends_with("}\n"), "{dot}");
    let ran = verify(folder.path(), "main.c new.c --base main.c,old.c");
    assert_eq!((ran.last(), ran.code), ("SAFE", Some(0)), "{}{}", ran.out, ran.err);
}

/// A function that is written in another way keeps its summaries, one that does something else does not.
#[test]
fn equivalent_functions() {
    let program = |f: &str| {
        format!(
            "{INPUT}{f}\nint main(void) {{\nint n = __VERIFIER_nondet_int();\n__VERIFIER_assume(n > 0);\n\
             int r = f(n);\nassert(r == n);\nreturn 0; }}\n"
        )
    };
    let old = "int f(int n) { int s = 0, i = 0; while (i < n) { s = s + 1; i = i + 1; } return s; }";
    let same = "int f(int m) { int t = 0; for (int k = 0; k < m; k++) t = 1 + t; return t; }";
    let other =
        "int f(int n) { int s = 0, i = 0; while (i < n) { s = s + 1; i = i + 1; } return n < 0 ? 7 : s; }";
    let wrong =
        "int f(int n) { int s = 0, i = 0; while (i < n) { s = s + 1; i = i + 1; } return s == 1 ? 2 : s; }";
    let folder = folder(&[
        ("old.c", &program(old)),
        ("same.c", &program(same)),
        ("other.c", &program(other)),
        ("wrong.c", &program(wrong)),
    ]);
    let flags = "--engine predicate --reuse precision,procedures,loops,equivalent --explain";
    let check = |arguments: &str, verdict: &str, kept: bool| {
        let ran = verify(folder.path(), &format!("{arguments} {flags}"));
        assert_eq!(ran.last(), verdict, "{arguments}\n{}{}", ran.out, ran.err);
        let said = ran.out.contains("changed, but equivalent to what it was");
        assert_eq!(said, kept, "{arguments}\n{}", ran.out);
        assert!(verdict != "SAFE" || ran.out.contains("certified: contracts"), "{}", ran.out);
    };
    check("old.c", "SAFE", false);
    check("same.c --base old.c", "SAFE", true);
    check("other.c --base old.c", "SAFE", false);
    check("wrong.c --base old.c", "UNSAFE", false);
}

/// The paper's upgrade check, from outside: what the change leaves valid is reused, and verdicts are those
/// from scratch.
#[test]
fn upgrades() {
    let program = |inc: &str| {
        format!(
            "{INPUT}static int inc(int x) {{ return {inc}; }}\nstatic int dbl(int x) {{ return inc(x) * 2; }}\n\
             static int other(int x) {{ return x - 1; }}\nint main(void) {{\nint x = __VERIFIER_nondet_int();\n\
             if (x < 0 || x > 100) return 0;\nint y = dbl(x), z = other(y);\nassert(z >= 1 && y < 1000);\nreturn 0; }}\n"
        )
    };
    let folder =
        folder(&[("old.c", &program("x + 1")), ("held.c", &program("x + 2")), ("fell.c", &program("x - 9"))]);
    let json = |arguments: &str, verdict: &str| {
        let ran = verify(folder.path(), &format!("{arguments} --json"));
        let document: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}\n{}{}", ran.out, ran.err));
        assert_eq!(document["verdict"], verdict, "{arguments}\n{document}");
        document
    };
    json("old.c", "SAFE");
    let held = json("held.c --base old.c --dot calls.dot", "SAFE");
    let states = |document: &Value| -> Vec<(String, String)> {
        let calls = document["calls"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        calls.map(|call| (text(&call["function"]), text(&call["state"]))).collect()
    };
    let state = |list: &[(String, String)], name: &str| {
        list.iter().find(|(function, _)| function == name).map(|(_, state)| state.clone())
    };
    let list = states(&held);
    assert_eq!(state(&list, "inc").as_deref(), Some("held"), "{list:?}");
    assert_eq!(state(&list, "other").as_deref(), Some("untouched"), "{list:?}");
    let dot = fs::read_to_string(folder.path().join("calls.dot")).unwrap();
    assert!(dot.contains("label=\"inc\", tooltip=\"checked, its summary holds\""), "{dot}");
    let fell = json("fell.c --base old.c", "UNSAFE");
    let list = states(&fell);
    assert_eq!(state(&list, "inc").as_deref(), Some("fell"), "{list:?}");
    for (file, verdict) in [("held.c", "SAFE"), ("fell.c", "UNSAFE")] {
        json(&format!("{file} --base old.c --no-reuse"), verdict);
        json(&format!("{file} --base old.c --audit"), verdict);
        json(&format!("{file} --base old.c --store none"), verdict);
        json(&format!("{file} --base old.c --scenario lazy --interpolation mcmillan --store lazy"), verdict);
    }
    let told = verify(folder.path(), "held.c --base old.c --explain --store again");
    assert_eq!(told.last(), "SAFE", "{}{}", told.out, told.err);
}

const COUNT: &str = "int main(void) {\nunsigned n = __VERIFIER_nondet_int(), a = 0, b = 0, c = 0;\n\
                     while (a < n) { if (__VERIFIER_nondet_int()) b++; else c++; a++; }\n\
                     assert(b + c == n); return 0; }\n";

fn document(folder: &Path, arguments: &str) -> Value {
    let ran = verify(folder, &format!("{arguments} --json"));
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}\n{}{}", ran.out, ran.err))
}

/// Who was asked: the document, the summary and the options agree.
#[test]
fn engines() {
    let bug = "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 7); }\n";
    let straight = "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) assert(x != 2); }\n";
    let wild = "int a[3]; int main(void) { int i = __VERIFIER_nondet_int(), v = a[i]; assert(v == 0); }\n";
    let text = |body: &str| format!("{INPUT}{body}");
    let folder = folder(&[
        ("count.c", &text(COUNT)),
        ("bug.c", &text(bug)),
        ("straight.c", &text(straight)),
        ("wild.c", &text(wild)),
    ]);
    let check = |arguments: &str, verdict: &str, engine: &str, attempts: &[(&str, &str)]| {
        let found = document(folder.path(), &format!("{arguments} --store none"));
        assert_eq!((&found["verdict"], &found["engine"]), (&verdict.into(), &engine.into()), "{found}");
        let list = found["attempts"].as_array().unwrap();
        let list: Vec<(&str, &str)> = list
            .iter()
            .map(|a| (a["engine"].as_str().unwrap(), a["reason"].as_str().or(a["verdict"].as_str()).unwrap()))
            .collect();
        assert_eq!(list, attempts, "{arguments}");
        let safe = verdict == "SAFE";
        assert_eq!((found["certified"] == true, found["certificate"].is_object()), (safe, safe));
        for attempt in found["attempts"].as_array().unwrap() {
            assert!(attempt["seconds"].is_number() && attempt["statistics"].is_object(), "{attempt}");
        }
        let told = verify(folder.path(), &format!("{arguments} --store none"));
        for (engine, reason) in attempts.iter().filter(|_| attempts.len() > 1) {
            let shown = told.out.lines().any(|line| {
                line.starts_with(&format!("{engine}: ")) && (line.ends_with(reason) || *reason == verdict)
            });
            assert!(shown, "{engine} {reason}\n{}", told.out);
        }
        assert_eq!(told.out.lines().any(|line| line.starts_with("certified: ")), safe, "{}", told.out);
    };
    check("straight.c", "SAFE", "bmc", &[("bmc", "SAFE")]);
    check("bug.c", "UNSAFE", "bmc", &[("bmc", "UNSAFE")]);
    let explicit = ("explicit", "a check may fail in states that are not told apart");
    let contracts = ("contracts", "conditions of the program are no contracts: a check in 'main'");
    let all = [("bmc", "safe up to 35"), contracts, explicit, ("predicate", "SAFE")];
    check("count.c", "SAFE", "predicate", &all);
    check("count.c --engine auto", "SAFE", "predicate", &all);
    check("count.c --holes eager", "SAFE", "predicate", &all);
    check("count.c --engine explicit", "UNKNOWN", "explicit", &[explicit]);
    check("count.c --engine contracts", "UNKNOWN", "contracts", &[contracts]);
    check("straight.c --engine contracts", "SAFE", "contracts", &[("contracts", "SAFE")]);
    check("bug.c --engine explicit", "UNSAFE", "explicit", &[("explicit", "UNSAFE")]);
    check("count.c --engine predicate", "SAFE", "predicate", &[("predicate", "SAFE")]);
    check("bug.c --engine predicate", "UNSAFE", "predicate", &[("predicate", "UNSAFE")]);
    check("straight.c --engine predicate --holes lazy", "SAFE", "predicate", &[("predicate", "SAFE")]);
    check("count.c --unwind 3", "UNKNOWN", "bmc", &[("bmc", "safe up to 3")]);
    check("count.c --engine bmc --unwind 3", "UNKNOWN", "bmc", &[("bmc", "safe up to 3")]);
    check("straight.c --scenario eager", "SAFE", "bmc", &[("bmc", "SAFE")]);
    check("bug.c --interpolation mcmillan", "UNSAFE", "bmc", &[("bmc", "UNSAFE")]);
    let undefined = document(folder.path(), "wild.c --store none");
    let warned = undefined["diagnostics"][0]["message"].as_str().unwrap_or_default();
    assert!(warned.starts_with("undefined behaviour can happen: "), "{undefined}");
    assert_eq!(undefined["attempts"].as_array().unwrap().len(), 1, "{undefined}");
    let told = verify(folder.path(), "count.c --store none --explain");
    for figure in ["bmc, steps: ", "predicate, refinements: "] {
        assert!(told.out.contains(figure), "{}", told.out);
    }

    let refused = |arguments: &str, expected: &str| {
        let ran = verify(folder.path(), arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments}\n{}", ran.err);
        assert!(ran.err.contains(expected), "{arguments}\n{}", ran.err);
    };
    refused("count.c --engine magic", "[possible values: auto, bmc, contracts, explicit, predicate]");
    let not_bmc =
        |option: &str| format!("{option} is for bounded model checking, not for --engine predicate");
    refused("count.c --engine predicate --unwind 3", &not_bmc("--unwind"));
    refused("count.c --engine predicate --unwind-recursion 3", &not_bmc("--unwind-recursion"));
    refused("count.c --engine predicate --scenario lazy", &not_bmc("--scenario"));
    refused("count.c --engine predicate --interpolation pudlak", &not_bmc("--interpolation"));
    refused("count.c --engine predicate --dot x.dot", &not_bmc("--dot"));
    refused("count.c --engine predicate --summaries auto", &not_bmc("--summaries"));
    refused("count.c --engine explicit --unwind 3", "not for --engine explicit");
    refused("count.c --engine contracts --unwind 3", "not for --engine contracts");
    refused("count.c --engine explicit --holes lazy", "not for --engine explicit");
    refused("count.c --engine bmc --holes lazy", "--holes is for predicate abstraction");
    refused("count.c --unwind 3 --holes lazy", "--holes for predicate abstraction");
    refused("count.c --reuse everything", "invalid value 'everything'");
    refused("count.c --reuse none,loops", "'all' and 'none' stand alone");
    refused("count.c --reuse loops --no-reuse", "cannot be used with");
    refused("count.c --holes sometimes", "[possible values: lazy, eager]");
}

/// The next version is first asked of who decided this one; nothing is reused that was switched off.
#[test]
fn later_versions() {
    let folder = folder(&[("a.c", &format!("{INPUT}{COUNT}"))]);
    let asked = |more: &str| {
        let found = document(folder.path(), &format!("a.c {more}"));
        assert_eq!(found["verdict"], "SAFE", "{more}\n{found}");
        let list = found["attempts"].as_array().unwrap().iter();
        let names: Vec<&str> = list.filter_map(|a| a["engine"].as_str()).collect();
        (names.join(" "), found["certificate"]["before"].as_bool().unwrap())
    };
    let both = "bmc contracts explicit predicate".to_owned();
    assert_eq!(asked(""), (both.clone(), false));
    assert_eq!(asked(""), ("predicate".to_owned(), true));
    assert_eq!(asked("--reuse none"), (both.clone(), false));
    assert_eq!(asked("--no-reuse"), (both, false));
    assert_eq!(asked("--reuse precision,loops"), ("predicate".to_owned(), false));
    assert_eq!(asked("--audit"), ("predicate".to_owned(), false));
    fs::write(
        folder.path().join("a.c"),
        format!("{INPUT}/* new */ {COUNT}").replace("_int()) b", "_int() > 3) b"),
    )
    .unwrap();
    assert_eq!(asked(""), ("predicate".to_owned(), false));
}

#[test]
fn certificates() {
    let bug = "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 7); }\n";
    let straight = "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) assert(x != 2); }\n";
    let text = |body: &str| format!("{INPUT}{body}");
    let reach = "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
                 int start(void) { int x = __VERIFIER_nondet_int(); if (x * x == -1) reach_error(); return 1 / x; }\n";
    let folder = folder(&[
        ("count.c", &text(COUNT)),
        ("bug.c", &text(bug)),
        ("straight.c", &text(straight)),
        ("reach.c", reach),
        ("reach.prp", "CHECK( init(start()), LTL(G ! call(reach_error())) )\n"),
        ("overflow.prp", "CHECK( init(start()), LTL(G ! overflow) )\n"),
    ]);
    let certify = |arguments: &str| {
        let mut command = Command::new(TOOL);
        command.args(["certify", "a.cert"]).args(arguments.split_whitespace()).env("NO_COLOR", "1");
        run(command.current_dir(folder.path()))
    };
    let check = |arguments: &str| {
        // The second time the store knows that it was certified, and the proof is wanted all the same.
        for _ in 0..2 {
            let file = folder.path().join("a.cert");
            let _ = fs::remove_file(&file);
            let ran = verify(folder.path(), &format!("{arguments} --certificate a.cert"));
            let question = arguments.split(" --engine").next().unwrap().split(" --unwind").next().unwrap();
            let note = format!("note: to check it again: reprove certify a.cert {question}\n");
            assert_eq!((ran.last(), ran.err.as_str()), ("SAFE", note.as_str()), "{arguments}\n{}", ran.out);
            let again = certify(question);
            assert_eq!(
                (again.last(), again.code),
                ("SAFE", Some(0)),
                "{arguments}\n{}{}",
                again.out,
                again.err
            );
        }
    };
    check("straight.c");
    check("count.c");
    check("count.c --engine predicate");
    check("straight.c --unwind 2");
    check("straight.c --target ilp32 -DX=1 --check overflow,shift");
    // About the sources as they are now.
    let before = fs::read_to_string(folder.path().join("straight.c")).unwrap();
    fs::write(folder.path().join("straight.c"), before.replace("!= 2", "!= 9")).unwrap();
    let ran = certify("straight.c --target ilp32 -DX=1 --check overflow,shift");
    assert!(ran.code == Some(2) && ran.err.contains("straight.c is not the file"), "{}{}", ran.out, ran.err);
    // Nothing else has a proof.
    for arguments in ["bug.c", "count.c --unwind 3", "reach.c overflow.prp"] {
        let ran = verify(folder.path(), &format!("{arguments} --certificate none.cert"));
        assert_ne!(ran.last(), "SAFE", "{arguments}");
        let warning = "warning: none.cert is not written: there is no proof (";
        assert!(ran.err.contains(warning), "{arguments}\n{}", ran.err);
        assert!(!folder.path().join("none.cert").exists());
    }
    let ran = verify(folder.path(), "count.c --certificate no/such/folder.cert");
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
}
