//! All checks that fail, each with a run of its own.

use base::Budget;
use driver::{Request, Verdict, others, verify};
use engine::{Quiet, Settings, Subject};
use ir::CheckKind;
use std::collections::BTreeSet;
use std::time::Duration;

/// The lines of all checks that are found to fail, sorted.
fn lines(text: &str) -> Vec<u32> {
    let checks = BTreeSet::from([CheckKind::Memory, CheckKind::Div]);
    let options = cfront::Options { checks, ..Default::default() };
    let text = format!("int __VERIFIER_nondet_int(void);\n# 1 \"t.c\"\n{text}");
    let output = cfront::compile_text("t.c", &text, &options);
    let program = output.program.unwrap_or_else(|| panic!("{:?}", output.diagnostics));
    let (budget, settings) = (Budget::unlimited(), Settings::default());
    let request = Request {
        subject: &Subject::new(&program, program.find_function("main").unwrap()),
        base: None,
        label: "t.c",
        settings: &settings,
        store: None,
        budget: &budget,
        limits: None,
        progress: &Quiet,
    };
    let mut outcome = verify(&request);
    // The search has as much time as the verdict took; the machine may be busy.
    outcome.time = Duration::from_secs(60);
    let mut lines: Vec<u32> = others(&request, &outcome).iter().map(|violation| violation.pos.line).collect();
    if let Verdict::Unsafe(first) = &outcome.verdict {
        lines.push(first.pos.line);
    }
    lines.sort();
    lines
}

fn check(text: &str, expected: &[u32]) {
    assert_eq!(lines(text), expected, "{text}");
}

#[test]
fn each_check_once() {
    check("int main(void) { return 0; }", &[]);
    check("int main(void) { int a[3], i = __VERIFIER_nondet_int();\na[i] = 1;\nreturn 0; }", &[2]);
    check(
        "int main(void) { int a[3] = {0}, x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n\
         if (x == 1) return 5 / y;\nif (x == 2) return a[y];\nif (x == 3) return *(int *)0;\nreturn 0; }",
        &[2, 3, 4],
    );
}

#[test]
fn what_follows_from_a_failure_is_none() {
    // The second access can only fail where the first one does.
    check(
        "int main(void) { int a[3], i = __VERIFIER_nondet_int();\na[i] = 1;\na[i] = 2;\nreturn a[i]; }",
        &[2],
    );
    // Nothing is reached behind what always fails.
    check("int main(void) { int z = 0;\nint x = 1 / z;\nint *p = 0;\nreturn *p + x; }", &[2]);
}

#[test]
fn there_are_enough_at_some_point() {
    let divisions: Vec<String> = (1..=14).map(|i| format!("if (x == {i}) return 1 / y;")).collect();
    let inputs = "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();";
    let found = lines(&format!("int main(void) {{ {inputs}\n{}\nreturn 0; }}", divisions.join("\n")));
    assert_eq!(found.len(), others::MOST, "{found:?}");
}
