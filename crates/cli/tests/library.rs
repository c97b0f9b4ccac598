//! Verdicts about programs that use the C library, end in their own way, have inline assembly, or use CBMC's primitives. A model that is missing makes a wrong SAFE, one that is too weak a wrong
//! UNSAFE; each kind of model has cases for both.

mod support;
use support::check;

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
