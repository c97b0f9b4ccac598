//! `--witness`: what is said about a program is true of it. Invariants are put into the source as assertions,
//! which the tool has to prove; the values of a violation are given to the program, which has to fail.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

fn tool(folder: &Path, arguments: &str) -> (String, String) {
    let done = Command::new(TOOL)
        .args(arguments.split_whitespace())
        .env("NO_COLOR", "1")
        .env("SOURCE_DATE_EPOCH", "86400")
        .env_remove("REPROVE_STORE")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&done.stdout), text(&done.stderr))
}

/// The witness of a program, which has to get this verdict.
fn witness(folder: &Path, file: &str, text: &str, flags: &str, verdict: &str) -> String {
    fs::write(folder.join(file), text).unwrap();
    let (out, err) = tool(folder, &format!("verify {file} --store none --witness w.yml {flags}"));
    assert_eq!(out.lines().last(), Some(verdict), "{text}\n{out}{err}");
    assert_eq!(err, "", "{text}");
    fs::read_to_string(folder.join("w.yml")).unwrap()
}

/// The entries of one kind: the values of these fields, in order.
fn entries(witness: &str, start: &str, fields: &[&str]) -> Vec<Vec<String>> {
    let parts = witness.split(start).skip(1);
    let field = |part: &str, name: &str| {
        let line = part.lines().find_map(|line| line.trim().strip_prefix(&format!("{name}: ")));
        line.unwrap_or_default().trim_matches('"').replace("\\\\", "\\")
    };
    parts.map(|part| fields.iter().map(|name| field(part, name)).collect()).collect()
}

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); \
                      extern void reach_error(void); void abort(void);\n";

/// Where the bracket closes that is open here.
fn closing(text: &str, mut at: usize) -> usize {
    let mut depth = 0;
    loop {
        match text.as_bytes()[at] {
            b'(' => depth += 1,
            b')' if depth == 0 => return at,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
}

/// The program with an invariant as an assertion in the condition of a loop.
fn with_invariant(text: &str, line: usize, column: usize, value: &str) -> String {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>() + column - 1;
    let open = start + text[start..].find('(').unwrap() + 1;
    let close = closing(text, open);
    let (from, to) = match &text[start..start + 3] {
        "for" => {
            let from = open + text[open..].find(';').unwrap() + 1;
            (from, from + text[from..].find(';').unwrap())
        }
        "whi" => (open, close),
        other => panic!("{other} is no loop, {line}:{column}\n{text}"),
    };
    let condition = Some(text[from..to].trim()).filter(|c| !c.is_empty()).unwrap_or("1");
    format!("{}(({value}) ? 1 : (reach_error(), 0)) && ({condition}){}", &text[..from], &text[to..])
}

/// The invariants that have to be there, each by a part of it; all of them have to hold.
fn check_safe(file: &str, text: &str, expected: &[(usize, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{INPUTS}{text}");
    let witness = witness(folder.path(), file, &text, "--engine predicate", "SAFE");
    assert!(witness.starts_with("- entry_type: invariant_set\n"), "{witness}");
    let found =
        entries(&witness, "- invariant:\n", &["type", "file_name", "line", "column", "value", "format"]);
    for (line, part) in expected {
        let fits = |entry: &&Vec<String>| entry[2] == (line + 1).to_string() && entry[4].contains(part);
        assert!(found.iter().any(|entry| fits(&entry)), "no {part} in line {}:\n{text}\n{witness}", line + 1);
    }
    for entry in &found {
        assert_eq!(
            (&*entry[0], &*entry[1], &*entry[5]),
            ("loop_invariant", file, "c_expression"),
            "{witness}"
        );
        let (line, column) = (entry[2].parse().unwrap(), entry[3].parse().unwrap());
        let asserted = with_invariant(&text, line, column, &entry[4]);
        fs::write(folder.path().join("asserted.c"), &asserted).unwrap();
        let (out, err) = tool(folder.path(), "verify asserted.c --store none --timeout 60");
        assert_eq!(out.lines().last(), Some("SAFE"), "{asserted}\n{out}{err}");
    }
}

#[test]
fn invariants_hold() {
    check_safe(
        "a.c",
        "int main(void) {\n  int x = 0, y = 0;\n  int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 1000) return 0;\n  \
         while (x < n) {\n    x++;\n    y++;\n  }\n  if (y != n) reach_error();\n  return 0;\n}\n",
        &[(5, "x")],
    );
    // Preprocessed by others; unsigned numbers, a global, and a loop without a condition.
    check_safe(
        "b.i",
        "unsigned total;\nint main(void) {\n  for (;;) {\n    if (__VERIFIER_nondet_int()) break;\n    \
         if (total < 50u) total = total + 1u;\n  }\n  if (total > 50u) reach_error();\n  return 0;\n}\n",
        &[(3, "total")],
    );
    // What no check depends on is not in the proof, and must not be said to stay as it is.
    check_safe(
        "c.c",
        "int other;\nint main(void) {\n  int k = 3, i = 0;\n  while (k < 10) { k++; }\n  k = 0;\n  \
         while (__VERIFIER_nondet_int()) {\n    other++;\n    if (i < 7) i++;\n    k++;\n    if (k > 20) k = 0;\n  }\n  \
         if (i > 7) reach_error();\n  return other;\n}\n",
        &[(6, "i")],
    );
    // A function that is also called where nobody looks at the result.
    check_safe(
        "d.c",
        "int count(int n) {\n  int r = 0;\n  while (r < n) {\n    r++;\n  }\n  return r;\n}\n\
         int main(void) {\n  int n = __VERIFIER_nondet_int();\n  count(n);\n  if (n < 0 || n > 9) return 0;\n  \
         if (count(n) != n) reach_error();\n  count(100);\n  return 0;\n}\n",
        &[],
    );
    // Names that mean several variables, and a macro in the line.
    check_safe(
        "e.c",
        "#define LIMIT (40 + 2)\nint main(void) {\n  int i = 0;\n  { int i = 100; while (i > LIMIT) { i--; } if (i < 42) \
         reach_error(); }\n  while (i < LIMIT) { i++; }\n  if (i != LIMIT) reach_error();\n  return 0;\n}\n",
        &[(4, "i"), (5, "i")],
    );
}

/// The points of a violation: type, line, column, value. The values from outside, given to the program, lead
/// to the failure.
fn check_unsafe(file: &str, text: &str, flags: &str, expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{INPUTS}{text}");
    let witness = witness(folder.path(), file, &text, flags, "UNSAFE");
    assert!(witness.starts_with("- entry_type: violation_sequence\n"), "{witness}");
    let found = entries(&witness, "- waypoint:\n", &["type", "line", "column", "value"]);
    let shown: Vec<String> = found.iter().map(|entry| entry.join(" ").trim_end().to_owned()).collect();
    assert_eq!(shown, expected, "{text}\n{witness}");
    let values = found.iter().filter(|entry| entry[0] == "function_return");
    let values: Vec<&str> = values.filter_map(|entry| entry[3].strip_prefix("\\result == ")).collect();
    let values: Vec<&str> = values.iter().map(|value| value.trim_end_matches('U')).collect();
    let given = if values.is_empty() { String::new() } else { format!("--input={}", values.join(",")) };
    let (out, err) =
        tool(folder.path(), &format!("run {file} {given} {}", flags.replace("--engine bmc", "")));
    assert!(format!("{out}{err}").contains("check failed: error_call"), "{out}{err}");
}

#[test]
fn violations_happen() {
    check_unsafe(
        "a.c",
        "int main(void) {\n  int x = __VERIFIER_nondet_int(), y = 2;\n  if (!(x > 5) || x > 6) return 0;\n  \
         while (x != 8 && y) { x++; }\n  if (x == 8) { { reach_error(); } }\n  return 0;\n}\n",
        "",
        &[
            "function_return 3 33 \\result == 6",
            "branching 4 3 false",
            "branching 5 3 true",
            "branching 5 3 true",
            "branching 5 3 false",
            "branching 6 3 true",
            "target 6 19",
        ],
    );
    // In the preprocessed line, other columns.
    check_unsafe(
        "b.c",
        "#define SKIP ((void)0)\nvoid fail(void) {\n  SKIP; if (1) { reach_error(); }\n}\nint main(void) {\n  \
         SKIP;   if (__VERIFIER_nondet_uint() == 4294967295u) fail();\n  return 0;\n}\n",
        "",
        &["function_return 7 38 \\result == 4294967295U", "branching 7 11 true", "target 4 18"],
    );
}

#[test]
fn no_witness_without_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{INPUTS}int main(void) {{ int x = 0; while (__VERIFIER_nondet_int()) x++; if (x == -7) reach_error(); }}\n"
    );
    fs::write(folder.path().join("b.c"), text).unwrap();
    let (out, err) = tool(folder.path(), "verify b.c --store none --engine bmc --unwind 2 --witness w.yml");
    assert!(out.lines().last().is_some_and(|line| line.starts_with("UNKNOWN")), "{out}{err}");
    assert!(err.contains("warning: w.yml is not written: there is nothing to bear witness to"), "{err}");
    assert!(!folder.path().join("w.yml").exists());
}

#[test]
fn the_task_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{INPUTS}int main(void) {{ return 0; }}\n");
    let found = witness(folder.path(), "a.c", &text, "--target ilp32", "SAFE");
    let again = witness(folder.path(), "a.c", &text, "--target ilp32", "SAFE");
    assert_eq!(found, again);
    for part in [
        "format_version: \"2.0\"\n",
        "creation_time: \"1970-01-02T00:00:00Z\"\n",
        "name: \"reprove\"\n",
        "input_files:\n        - \"a.c\"\n",
        "specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n",
        "data_model: ILP32\n",
        "language: C\n",
        "content: []\n",
    ] {
        assert!(found.contains(part), "{part}\n{found}");
    }
}
