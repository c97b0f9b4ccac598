//! Verdicts about programs that use the C library, end in their own way, have inline assembly, or use CBMC's primitives. Cases are
//! data: a line `== NAME | FLAGS | VERDICT`, and the program. A model that is missing makes a wrong SAFE, one that is too weak a wrong
//! UNSAFE; each kind of model has cases for both.

use std::process::{Command, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

struct Case<'a> {
    name: &'a str,
    flags: &'a str,
    verdicts: Vec<&'a str>,
    text: String,
}

fn cases(data: &str) -> Vec<Case<'_>> {
    let mut list: Vec<Case> = Vec::new();
    for line in data.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let parts: Vec<&str> = head.split('|').map(str::trim).collect();
            let [name, flags, verdicts] = parts[..] else { panic!("a bad head: {line}") };
            let verdicts = verdicts.split(" or ").collect();
            list.push(Case { name, flags, verdicts, text: String::new() });
        } else if let Some(case) = list.last_mut() {
            case.text += line;
            case.text.push('\n');
        }
    }
    list
}

fn verdict(case: &Case) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), &case.text).unwrap();
    let mut command = Command::new(TOOL);
    command.args(["verify", "a.c", "--store", "none", "--timeout", "60"]).args(case.flags.split_whitespace());
    let done = command.current_dir(folder.path()).env("NO_COLOR", "1").stdin(Stdio::null()).output().unwrap();
    let out = String::from_utf8_lossy(&done.stdout).into_owned();
    let word = match done.status.code() {
        Some(0) => "SAFE",
        Some(1) => "UNSAFE",
        Some(2) => "bad input",
        Some(3) => "UNKNOWN",
        other => panic!("{}: exit code {other:?}", case.name),
    };
    (word.to_owned(), out + &String::from_utf8_lossy(&done.stderr))
}

fn check(data: &str) {
    let mut wrong = Vec::new();
    for case in cases(data) {
        let (found, said) = verdict(&case);
        if !case.verdicts.contains(&&*found) {
            wrong.push(format!("{} {}: {found}, not {:?}\n{said}", case.name, case.flags, case.verdicts));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_comes_in() {
    check(include_str!("library/input.txt"));
}

#[test]
fn text_the_end_threads_and_signals() {
    check(include_str!("library/text-and-end.txt"));
}

#[test]
fn assembly_primitives_and_pointers_to_functions() {
    check(include_str!("library/primitives.txt"));
}

/// Why a program leaves what can be verified is part of the answer.
#[test]
fn refusals_have_reasons() {
    let reason = |text: &str, expected: &str| {
        let case = Case { name: expected, flags: "", verdicts: Vec::new(), text: text.to_owned() };
        let (_, said) = verdict(&case);
        assert!(said.contains(expected), "{expected}\n{said}");
    };
    reason(
        "#include <pthread.h>\nvoid *f(void *p) { return p; }\nint main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }\n",
        "threads are not supported",
    );
    reason(
        "#include <signal.h>\nvoid h(int n) { }\nint main(void) { signal(SIGINT, h); return 0; }\n",
        "signal handlers are not supported",
    );
    reason("#include <setjmp.h>\njmp_buf b;\nint main(void) { return setjmp(b); }\n", "setjmp");
    reason("int main(void) { __CPROVER_nothing(1); return 0; }\n", "'__CPROVER_nothing' is not a primitive");
    reason("int main(void) { __CPROVER_nothing(1); return 0; }\n", "havoc_object");
    reason(
        "int read(int);\nint main(void) { return read(1); }\n",
        "'read' is declared with another type than the C library's",
    );
}
