//! What people and programs are told of failing checks: the inputs, the access, the object, and all checks
//! that fail.

use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");
const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n";

fn verify(text: &str, options: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), format!("{HEAD}{text}")).unwrap();
    let mut command = Command::new(TOOL);
    command.args(["verify", "a.c", "--check", "memory", "--store", "none"]).args(options.split_whitespace());
    let done =
        command.current_dir(folder.path()).env_remove("NO_COLOR").stdin(Stdio::null()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(1), "{text}\n{out}{err}");
    out.into_owned()
}

/// `main` with these statements fails with this line, and with this in the document.
fn check(statements: &str, line: &str, memory: Value) {
    let text = format!("int main(void) {{\n{statements}\nreturn 0; }}\n");
    let out = verify(&text, "--first");
    assert!(out.contains(&format!(": {line}\n")), "no '{line}' in\n{out}");
    let document: Value = serde_json::from_str(&verify(&text, "--first --json")).unwrap();
    let mut found = document["counterexample"]["memory"].clone();
    if let Some(object) = found.get_mut("object").and_then(Value::as_object_mut) {
        for place in ["place", "freed"] {
            if let Some(at) = object.get_mut(place) {
                *at = at["line"].clone();
            }
        }
    }
    assert_eq!(found, memory, "{text}");
}

#[test]
fn accesses() {
    check(
        "int a[4]; int i = __VERIFIER_nondet_int();\nif (i == 4)\na[i] = 1;",
        "write of 4 bytes past the end of 'a' (16 bytes), at offset 16",
        json!({"access": "write", "bytes": 4, "fault": "past_end",
               "object": {"kind": "local", "name": "a", "size": 16, "offset": 16, "place": 5}}),
    );
    check(
        "char *p = malloc(3);\np -= 2;\nreturn *p;",
        "read of 1 byte before the start of an allocation (3 bytes), at offset -2",
        json!({"access": "read", "bytes": 1, "fault": "before_start",
               "object": {"kind": "heap", "size": 3, "offset": -2, "place": 5}}),
    );
    check(
        "int *p = malloc(8);\nfree(p);\nreturn p[1];",
        "read of 4 bytes of an allocation (8 bytes) that was freed, at offset 4",
        json!({"access": "read", "bytes": 4, "fault": "freed",
               "object": {"kind": "heap", "size": 8, "offset": 4, "place": 5, "freed": 6}}),
    );
    check(
        "int *p = malloc(8);\nfree(p);\nfree(p);",
        "free of an allocation (8 bytes) that was freed already",
        json!({"access": "free", "fault": "freed",
               "object": {"kind": "heap", "size": 8, "offset": 0, "place": 5, "freed": 6}}),
    );
    check(
        "int x = 1;\nfree(&x);",
        "free of 'x', which was not allocated",
        json!({"access": "free", "fault": "not_allocated",
               "object": {"kind": "local", "name": "x", "size": 4, "offset": 0, "place": 5}}),
    );
    check(
        "int *p = 0;\nreturn p[2];",
        "read of 4 bytes through a null pointer, at offset 8",
        json!({"access": "read", "bytes": 4, "fault": "null"}),
    );
}

#[test]
fn objects_have_a_past() {
    let text = "int main(void) {\nint *p = malloc(8);\nfree(p);\nreturn p[1]; }\n";
    let out = verify(text, "");
    let notes = "  the memory was allocated at a.c:5:6\n  it was freed at a.c:6:1\n";
    assert!(out.contains(notes), "{out}");
}

#[test]
fn inputs_come_first_and_whole() {
    let text = "int main(void) {\nint s = 0;\nfor (int i = 0; i < 90; i++) {\nint x = __VERIFIER_nondet_int();\n\
                if (x != i / 2) return 0;\ns += x; }\nassert(s == 0);\nreturn 0; }\n";
    let out = verify(text, "--unwind 100");
    let lines: Vec<&str> = out.lines().take(2).collect();
    let values: Vec<String> = (0..45).map(|i| format!("{i}, {i}")).collect();
    let input = format!("  a.c:7  x = __VERIFIER_nondet_int()  {}", values.join(", "));
    assert_eq!(lines, ["inputs:", &input], "{out}");
}

#[test]
fn all_failures_or_the_first() {
    let text = "int main(void) {\nint x = __VERIFIER_nondet_int(), a[2] = {0};\n\
                if (x > 5 && x < 9)\nreturn a[x];\nassert(x != 3);\nreturn 0; }\n";
    let out = verify(text, "");
    let headings = [
        "failure 1 of 2\n",
        "failure 2 of 2\n",
        "read of 4 bytes past the end of 'a'",
        "an assertion fails: x != 3",
    ];
    for part in headings {
        assert!(out.contains(part), "no '{part}' in\n{out}");
    }
    assert_eq!(out.matches("inputs:\n").count(), 2, "{out}");
    assert_eq!(out.lines().last(), Some("UNSAFE"));
    let document: Value = serde_json::from_str(&verify(text, "--json")).unwrap();
    let others = document["other_counterexamples"].as_array().unwrap();
    assert_eq!(others.len(), 1, "{document}");
    assert_ne!(others[0]["check"], document["counterexample"]["check"]);
    let first = verify(text, "--first");
    assert!(!first.contains("failure 1") && first.matches("inputs:\n").count() == 1, "{first}");
}

#[test]
fn colours() {
    let text = "int main(void) { assert(__VERIFIER_nondet_int() != 3); return 0; }\n";
    let out = verify(text, "--color always");
    assert_eq!(out.lines().last(), Some("\x1b[1;31mUNSAFE\x1b[0m"));
    assert!(out.starts_with("\x1b[1minputs:\x1b[0m\n  \x1b[2ma.c:4\x1b[0m  "), "{out}");
    assert!(!verify(text, "").contains('\x1b'));
}
