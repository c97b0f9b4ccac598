//! Whatever is wrong with the input, the tool says so and exits with 2: no panic, no crash, no hang.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn reprove(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reprove")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad").join(name).to_string_lossy().into_owned()
}

/// Runs every command on the files: exit code 2, nothing that could pass for a result, and all of `expected`
/// in the messages.
fn check(files: &[&str], expected: &[&str]) {
    for command in [&["show", "ir"][..], &["show", "fragments"], &["run"]] {
        check_command(&[command, files].concat(), expected);
    }
}

fn check_command(args: &[&str], expected: &[&str]) {
    let output = reprove(args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let context = format!("reprove {}\n{}", args.join(" "), &stderr[..stderr.len().min(3000)]);
    assert_eq!(output.status.code(), Some(2), "{context}");
    assert!(output.stdout.is_empty(), "{context}");
    assert!(stderr.len() < 20_000, "{} bytes of messages: {context}", stderr.len());
    for text in expected {
        assert!(stderr.contains(text), "no '{text}' in: {context}");
    }
}

fn scratch(name: &str, content: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path.to_string_lossy().into_owned())
}

#[test]
fn missing_file() {
    check(&["no/such/file.c"], &["error: ", "no/such/file.c"]);
    check(&["no/such/file.i"], &["error: ", "no/such/file.i"]);
    check_command(&["diff", "no/such/a.c", "no/such/b.c"], &["no/such/a.c"]);
}

#[test]
fn folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_string_lossy().into_owned();
    check(&[&path], &[&path, "directory"]);
    check_command(&["diff", &path, &path], &["no .c or .i file"]);
}

#[test]
fn binary_file() {
    let bytes: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for name in ["x.c", "x.i"] {
        let (_folder, path) = scratch(name, &bytes);
        check(&[&path], &["error: ", name]);
        let (_folder, path) = scratch(name, b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0");
        check(&[&path], &["error: ", name]);
    }
}

#[test]
fn invalid_utf8() {
    for name in ["x.c", "x.i"] {
        let (_folder, path) = scratch(name, b"int main(void) {\n    int \xff\xfe = 0;\n    return 0;\n}\n");
        check(&[&path], &[&format!("{name}:2:"), "error: "]);
    }
}

#[test]
fn a_line_of_100_megabytes() {
    let long = |fill: u8| {
        let mut text = b"int main(void) { return ".to_vec();
        text.resize(100 << 20, fill);
        text
    };
    for (name, fill, expected) in [("x.c", b'x', "xxx"), ("x.i", b'x', "xxx"), ("x.i", b'(', "nest")] {
        let (_folder, path) = scratch(name, &long(fill));
        check_command(&["show", "ir", &path], &[&format!("{name}:1:"), "error: ", expected]);
    }
}

#[test]
fn unbalanced_braces() {
    check(&[&fixture("braces.c")], &["braces.c:", "error: "]);
    let (_folder, path) = scratch("x.c", b"int main(void) { return 0; }\n}\n");
    check(&[&path], &["x.c:2:1: error: "]);
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, close: &str, n: usize| format!("{}0{}", open.repeat(n), close.repeat(n));
    let n = 100_000;
    for text in [
        format!("int main(void) {{ return {}; }}\n", deep("(", ")", n)),
        format!("int main(void) {{ {}{} }}\n", "{".repeat(n), "}".repeat(n)),
        format!("int main(void) {{ return {}0; }}\n", "- ".repeat(n)),
        format!("int {}x{};\n", "(".repeat(n), ")".repeat(n)),
        format!("int {}x;\nint main(void) {{ return 0; }}\n", "*".repeat(n)),
        format!("int x[] = {};\n", deep("{", "}", n)),
        format!("int main(void) {{ {} ; }}\n", "if (1) ".repeat(n)),
        format!("int main(void) {{ return 0{}; }}\n", " ? 0 : 0".repeat(n)),
        format!("{}int x;{}\n", "struct { ".repeat(n), " };".repeat(n)),
    ] {
        for name in ["x.c", "x.i"] {
            let (_folder, path) = scratch(name, text.as_bytes());
            let output = reprove(&["show", "ir", &path]);
            let code = output.status.code();
            // Some of these are valid C; those may also be accepted, but nothing may crash.
            let stderr = String::from_utf8_lossy(&output.stderr);
            let start = &text[..40];
            assert!(
                code == Some(2) || code == Some(0),
                "{start}: {code:?} {}",
                &stderr[..stderr.len().min(2000)]
            );
            assert!(!stderr.contains("internal error"), "{start}: {}", &stderr[..stderr.len().min(2000)]);
        }
    }
    let (_folder, path) =
        scratch("x.i", format!("int main(void) {{ return {}; }}", deep("(", ")", n)).as_bytes());
    check(&[&path], &["x.i:1:", "error: ", "nest"]);
}

#[test]
fn a_type_that_contains_itself() {
    check(&[&fixture("self_type.c")], &["self_type.c:3:", "error: ", "struct list rest;"]);
}

#[test]
fn missing_main() {
    check_command(&["run", &fixture("no_main.c")], &["no function 'main'"]);
    check_command(
        &["run", &fixture("no_main.c"), "--entry", "helpr"],
        &["no function 'helpr'", "did you mean 'helper'?"],
    );
    check_command(&["show", "ir", &fixture("no_main.c"), "--entry", "nothing"], &["nothing"]);
    check_command(
        &["show", "cfa", &fixture("no_main.c"), "--function", "nothing"],
        &["no function 'nothing'"],
    );
}

#[test]
fn two_definitions_of_one_function() {
    check(
        &[&fixture("two_definitions.c")],
        &["two_definitions.c:5:5: error: ", "twice", "two_definitions.c:1:5: note: "],
    );
    check(
        &[&fixture("twice_a.c"), &fixture("twice_b.c")],
        &["twice_b.c:1:5: error: ", "twice", "twice_a.c:1:5: note: "],
    );
}

#[test]
fn every_error_is_reported() {
    let all = [
        "many.c:2:12: error: ",
        "many.c:6:14: error: ",
        "many.c:7:",
        "many.c:8:12: error: ",
        "many.c:8:16: error: ",
    ];
    check(&[&fixture("many.c")], &all);
}

#[test]
fn usage_errors() {
    check_command(&[], &["Usage"]);
    check_command(&["frobnicate"], &["frobnicate"]);
    check_command(&["show", "ir"], &["FILE"]);
    check_command(&["show", "trees", "x.c"], &["trees"]);
    check_command(&["run", "x.c", "--input", "1,two"], &["two"]);
    check_command(&["show", "ir", "x.c", "--target", "ilp64"], &["ilp64"]);
    check_command(&["show", "ir", "x.c", "--check", "everything"], &["everything"]);
    check_command(&["show", "ir", &fixture("no_main.c"), "--dot"], &["--dot"]);
    check_command(&["show", "cfa", &fixture("no_main.c"), "--json"], &["--json"]);
    check_command(&["show", "ir", &fixture("no_main.c"), "--cc", "no-such-compiler"], &["no-such-compiler"]);
}

#[test]
fn json_readers_get_a_document_for_errors_too() {
    let output = reprove(&["run", "--json", &fixture("many.c")]);
    assert_eq!(output.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["version"], 1);
    let first = &document["diagnostics"][0];
    assert_eq!((&first["severity"], &first["place"]["line"]), (&"error".into(), &2.into()));
}
