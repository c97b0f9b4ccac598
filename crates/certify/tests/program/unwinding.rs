//! Proofs that unwinding is enough.

use crate::support::{check, compile};
use certify::Flaw;
use certify::program::What;
use engine::{Argument, Assumption, Bounds, Proof, Undefined, Unwound, Widened};

/// Unwinding so far shows that the program is safe, and less far does not; or what is wrong.
enum Expect {
    Least(u32),
    Bound,
    Check,
    Meaning,
}
use Expect::*;

const PROGRAMS: &[(&str, Expect)] = &[
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 3) reach_error(); return 0; }",
        Least(0),
    ),
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 5) reach_error(); return 0; }",
        Check,
    ),
    ("int main(void) { int i = 0; while (i < 5) i++; if (i != 5) reach_error(); return 0; }", Least(5)),
    ("int main(void) { int i = 0; while (i < 5) i++; if (i == 5) reach_error(); return 0; }", Check),
    // A loop that depends on inputs, and is left in the middle.
    (
        "int main(void) {
            int n = __VERIFIER_nondet_int(), s = 0;
            __VERIFIER_assume(n >= 0 && n <= 4);
            for (int i = 0; i < n; i++) { s += i; if (s > 2) break; }
            if (s > 3) reach_error();
            return 0;
        }",
        Least(2),
    ),
    (
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; if (i < 0) reach_error(); }",
        Bound,
    ),
    // Loops in loops: each has rounds of its own.
    (
        "int main(void) {
            int s = 0;
            for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) s++;
            if (s != 12) reach_error();
            return 0;
        }",
        Least(4),
    ),
    // Calls in loops, with globals.
    (
        "int total;
        int add(int k) { total += k; if (k > 1) return total; return 0; }
        int main(void) {
            int r = 0;
            for (int i = 0; i < 4; i++) r += add(i);
            if (total != 6 || r != 3 + 6) reach_error();
            return 0;
        }",
        Least(4),
    ),
    (
        "int total;
        int add(int k) { total += k; if (total == 6) reach_error(); return 0; }
        int main(void) { for (int i = 0; i < 4; i++) add(i); return 0; }",
        Check,
    ),
    // Recursion.
    (
        "int down(int n) { if (n <= 0) return 0; return down(n - 1) + 1; }
        int main(void) { if (down(3) != 3) reach_error(); return 0; }",
        Least(3),
    ),
    (
        "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(__VERIFIER_nondet_int()); }",
        Bound,
    ),
    (
        "int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
        int main(void) { if (fibonacci(12) != 144) reach_error(); return 0; }",
        Least(11),
    ),
    // Inputs of each call are its own.
    (
        "int any(int n) { if (n > 0) return any(n - 1); return __VERIFIER_nondet_int(); }
        int main(void) { if (any(2) != any(2)) reach_error(); return 0; }",
        Check,
    ),
    (
        "int any(int n) { int x = n ? any(n - 1) + any(n - 1) : __VERIFIER_nondet_int(); return x; }
        int main(void) { if (any(1) % 2) reach_error(); return 0; }",
        Check,
    ),
    // Results in globals that the callee writes, too.
    (
        "int g;
        int f(void) { g = 1; return g + 1; }
        int main(void) { g = f(); if (g != 2) reach_error(); return 0; }",
        Least(0),
    ),
    // Memory.
    (
        "int a[4] = {1, 2, 3};
        void set(int *p, int v) { *p = v; }
        int main(void) {
            unsigned i = __VERIFIER_nondet_uint();
            __VERIFIER_assume(i < 3);
            set(&a[i], 7);
            if (a[i] != 7 || a[3] != 0 || (i != 1 && a[1] != 2)) reach_error();
            return 0;
        }",
        Least(0),
    ),
    // What is in a variable is forgotten from one call to the next, though nobody writes it.
    (
        "int peek(int n) { int x; int *p = &x; if (*p != n) abort(); return *p; }
        int main(void) { peek(7); peek(8); reach_error(); return 0; }",
        Check,
    ),
    // Executions end at undefined behaviour; what could not be translated is not followed.
    ("int main(void) { int d = __VERIFIER_nondet_int(); d = 1 / d; if (d > 1) reach_error(); return 0; }", Least(0)),
    (
        "int jump(int n) { void *p = &&end; goto *p; end: return n; }
        int main(void) { if (jump(1) == 2) reach_error(); return 0; }",
        Meaning,
    ),
    (
        "int main(void) { int d = __VERIFIER_nondet_int(); if (d > 0 && 4 / d > 4) reach_error(); return 0; }",
        Least(0),
    ),
    // Through a pointer, with other signs.
    (
        "unsigned all(unsigned x) { return x; }
        int zero(int x) { return 0; }
        int main(void) {
            unsigned (*f)(unsigned) = __VERIFIER_nondet_int() ? all : (unsigned (*)(unsigned))zero;
            int r = ((int (*)(int))f)(-1);
            if (r != 0 && r != -1) reach_error();
            if (f(5) < 0) reach_error();
            return 0;
        }",
        Least(0),
    ),
    // A loop that is entered in two places.
    (
        "int main(void) {
            int i = 0;
            if (__VERIFIER_nondet_int()) goto middle;
            head: i++;
            middle: if (i < 3) goto head;
            if (i != 3) reach_error();
            return 0;
        }",
        Least(3),
    ),
    // Some functions without a body write.
    (
        "int sprintf(char *, const char *, ...);
        void write(char *to, int n) { sprintf(to, \"%d\", n); }
        int main(void) { char text[20]; text[0] = 0; write(text, 1); if (text[0] != 0) reach_error(); return 0; }",
        Check,
    ),
    (
        "int sprintf(char *, const char *, ...);
        int main(void) { char a[20], b[20]; a[0] = b[0] = 0; sprintf(a, \"x\"); if (b[0] != 0) reach_error(); return 0; }",
        Least(0),
    ),
    // Loops without end.
    ("int main(void) { for (;;) { int x = __VERIFIER_nondet_int(); if (x != x) reach_error(); } }", Least(0)),
    (
        "int g = 1;
        int main(void) {
            int i = 0;
            while (1) { if (g != 1) reach_error(); while (i < 3) i++; i = 0; }
        }",
        Least(3),
    ),
    ("int main(void) { int i = 0; while (1) { if (i == 3) reach_error(); if (i < 4) i++; } }", Check),
    (
        "int main(void) { int i = 0, j = 1; while (1) { int t = i; i = j; j = t; if (i == j) reach_error(); } }",
        Least(1),
    ),
    // Floats.
    (
        "int main(void) { double x = __VERIFIER_nondet_int() ? 1.5 : 2.0; if (x + 1.0 <= x) reach_error(); return 0; }",
        Least(0),
    ),
];

fn kind(program: &ir::Program, slice: bool, bound: u32) -> Result<(), Expect> {
    let slice = slice.then_some(slice::Checks::All);
    match check(program, &Proof { slice, argument: Argument::Unwinding { bound } }) {
        Ok(_) => Ok(()),
        Err(refused) => match (&refused.flaw, refused.clause.as_ref().map(|c| &c.what)) {
            (Flaw::Wrong(_), Some(What::Bound(_))) => Err(Bound),
            (Flaw::Wrong(_), Some(What::Check)) => Err(Check),
            (Flaw::Wrong(_), Some(What::Meaning(_))) => Err(Meaning),
            _ => panic!("{refused}"),
        },
    }
}

#[test]
fn programs() {
    for (text, expected) in PROGRAMS {
        let program = compile(text);
        // A slice has no division that no check needs, and may have no loop.
        for slice in [false, true] {
            let far = kind(&program, slice, 12);
            match expected {
                Least(bound) => {
                    assert!(far.is_ok(), "{text}");
                    assert!(kind(&program, slice, *bound).is_ok(), "{text}");
                    let less = bound.checked_sub(1).map(|less| kind(&program, slice, less));
                    assert!(matches!(less, None | Some(Err(Bound))) || slice, "{text}");
                }
                Bound => assert!(matches!(far, Err(Bound)) || slice, "{text}"),
                Check => assert!(matches!(far, Err(Check)), "{text}"),
                Meaning => assert!(matches!(far, Err(Meaning)) || slice, "{text}"),
            }
        }
    }
}

/// A proof says which rounds and calls nobody comes to. They are left out, and that nobody does has to be
/// shown.
#[test]
fn what_is_said_to_be_pruned_is_not_believed() {
    let check_pruned = |condition: &str, pruned: &[u64], accepted: bool| {
        let program = compile(&format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(), i = 0; if (n < 0 || n > 3) return 0;
                while (i < n) i++; if ({condition}) reach_error(); return 0; }}"
        ));
        let unwound = Unwound {
            bounds: Bounds::new(8),
            free: 0,
            widened: Widened::Nothing,
            invariants: Vec::new(),
            pruned: pruned.into(),
            refutation: None,
        };
        let found = check(&program, &Proof { slice: None, argument: Argument::Unwound(unwound) });
        assert_eq!(found.is_ok(), accepted, "{condition} without {pruned:?}");
    };
    check_pruned("i > 3", &[], true);
    // The fourth time that the loop would go on.
    check_pruned("i > 3", &[3], true);
    check_pruned("i > 3", &[2], false);
    check_pruned("i > 3", &[0], false);
    check_pruned("i == 3", &[3], false);
    // Without these rounds, nothing would fail.
    check_pruned("i == 3", &[0], false);
    check_pruned("i == 3", &[2], false);
}

#[test]
fn assumptions() {
    let program = compile(
        "int outside(int), never(int), g;
        int calls_never(void) { return never(1); }
        int main(void) { int *p = &g; *p = outside(1); if (*p != *p) reach_error(); return 0; }",
    );
    let checked =
        check(&program, &Proof { slice: None, argument: Argument::Unwinding { bound: 1 } }).unwrap();
    let list: Vec<Assumption> = checked.assumptions.into_iter().collect();
    let memory = Assumption::Undefined(Undefined::Memory);
    assert_eq!(list, [memory, Assumption::Pure(vec!["outside".into()])]);
}
