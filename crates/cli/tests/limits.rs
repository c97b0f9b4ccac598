//! Limits and what is said when they are reached: in time, whole, with a reason that helps, and remembered.

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
    time: Duration,
}

impl Ran {
    fn last(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

fn reprove(folder: &Path, arguments: &str) -> Ran {
    let start = Instant::now();
    let mut command = Command::new(TOOL);
    command.args(arguments.split_whitespace()).env("NO_COLOR", "1").env_remove("REPROVE_STORE");
    let done = command.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: done.status.code(), out: text(&done.stdout), err: text(&done.stderr), time: start.elapsed() }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Tests run beside each other on busy machines: `bench limits` measures how late answers are.
const SLACK: Duration = Duration::from_secs(4);

/// Every command ends at its limit, also while somebody else works for it.
#[test]
fn all_commands_end() {
    let slow = "#!/bin/sh\nexec sleep 60\n";
    let files = [
        ("a.c", "int main(void) { for (;;); }\n"),
        ("b.c", "int main(void) { return 0; }\n"),
        ("slow", slow),
    ];
    let folder = folder(&files);
    let made = reprove(folder.path(), "verify b.c --certificate proof.json");
    assert_eq!(made.code, Some(0), "{}{}", made.out, made.err);
    let check = |arguments: &str, last: &str, error: &str| {
        let ran = reprove(folder.path(), &format!("{arguments} --timeout 0.5"));
        assert_eq!((ran.last(), ran.err.as_str(), ran.code), (last, error, Some(3)), "{arguments}");
        assert!(ran.time < Duration::from_millis(500) + SLACK, "{arguments}: {:?}", ran.time);
    };
    let (slow, error) = ("--cc ./slow", "error: time limit reached\n");
    fs::set_permissions(folder.path().join("slow"), fs::Permissions::from_mode(0o755)).unwrap();
    check(&format!("verify a.c {slow}"), "UNKNOWN (time limit reached)", "");
    check(&format!("equiv a.c b.c {slow}"), "UNKNOWN (time limit reached)", "");
    check(&format!("certify proof.json b.c {slow}"), "UNKNOWN (time limit reached)", "");
    check(&format!("show ir a.c {slow}"), "", error);
    check(&format!("diff a.c b.c {slow}"), "", error);
    check(&format!("run a.c {slow}"), "stopped: time limit reached", "");
    check("run a.c", "stopped: time limit reached", "");
    let ran = reprove(folder.path(), &format!("diff a.c b.c --json {slow} --timeout 0.5"));
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&document["command"], &document["reason"]), (&"diff".into(), &"time limit reached".into()));
}

/// The reason says which loop it is, and what to do.
#[test]
fn reasons_help() {
    let more = "extern unsigned __VERIFIER_nondet_uint(void);\n#include <assert.h>\n\
                int main(void) {\n    unsigned n = __VERIFIER_nondet_uint(), i = 0;\n\
                while (i * i != n)\n        i++;\n    assert(i * i == n);\n}\n";
    let endless = "extern char nondet_char(void);\n#include <assert.h>\n\
                   int main(void) {\n    char c = nondet_char(), s[2] = {c, 0};\n    int i = 0, t = 0;\n\
                   while (s[i]) {\n        if (s[i] != '/') i++;\n        else t = !t;\n    }\n\
                   assert(i + t <= 1);\n}\n";
    let folder = folder(&[("more.c", more), ("endless.c", endless)]);
    let check = |arguments: &str, parts: &[&str]| {
        let ran = reprove(folder.path(), &format!("verify {arguments} --store none"));
        assert_eq!(ran.code, Some(3), "{arguments}: {}{}", ran.out, ran.err);
        for part in parts {
            assert!(ran.last().contains(part), "{arguments}: {}", ran.last());
        }
    };
    check(
        "more.c --unwind 5",
        &["safe up to 5: the loop at more.c:5 needs more rounds; --unwind 7 goes further"],
    );
    check(
        "endless.c --unwind 5",
        &["safe up to 5: the loop at endless.c:6 never ends for input nondet_char() = 47"],
    );
    let ran = reprove(folder.path(), "verify more.c --unwind 5 --store none --json");
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let why = &document["why"];
    assert_eq!((&why["kind"], &why["bound"], &why["line"]), (&"bound".into(), &5.into(), &5.into()), "{why}");
}

/// What nobody could answer is not asked again, unless something changed.
#[test]
fn unknown_is_remembered() {
    let text = "#include <assert.h>\n#include <setjmp.h>\njmp_buf b;\n\
                int f(void) { return setjmp(b) ? 1 : 0; }\n\
                int main(void) { int i = f(); assert(i == 0); }\n";
    let folder = folder(&[("a.c", text)]);
    let check = |arguments: &str, known: bool| {
        let ran = reprove(folder.path(), &format!("verify a.c {arguments}"));
        assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
        let said = "known from an earlier run with a limit of 60 s; --timeout 180 or --no-reuse tries again";
        assert_eq!(ran.out.contains(said), known, "{arguments}: {}", ran.out);
        ran.last().to_owned()
    };
    let first = check("", false);
    assert_eq!(check("", true), first);
    check("--timeout 20", true);
    check("--no-reuse", false);
    check("--reuse precision", false);
    check("--audit", false);
    check("--engine bmc", false);
    // Lines that moved are no reason to try again.
    fs::write(folder.path().join("a.c"), format!("/* more */\n{text}")).unwrap();
    check("", true);
    fs::write(folder.path().join("a.c"), text.replace("i == 0", "i <= 0")).unwrap();
    check("", false);
    check("", true);
    // The limit grew; what is remembered then is the larger one.
    let ran = reprove(folder.path(), "verify a.c --timeout 90");
    assert!(!ran.out.contains("known from"), "{}", ran.out);
    let ran = reprove(folder.path(), "verify a.c --timeout 90 --json");
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["known"]["timeout"], 90.0, "{}", ran.out);
}
