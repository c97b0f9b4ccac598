//! Contracts by hand, and damaged ones.

use crate::support::{At, Text, check, check_knowing, compile, compile_with, proof, text};
use certify::program::Known;
use encode::IntMode::{self, Bv, Wrap};
use ir::CheckKind;
use std::collections::BTreeSet;

struct Case {
    name: &'static str,
    program: &'static str,
    mode: IntMode,
    contracts: fn() -> Vec<Text>,
}

const CASES: &[Case] = &[
    Case {
        name: "loop",
        program: "int main(void) {
            int i = 0, n = 0;
            while (i < 10) { i++; n += 2; }
            if (n != 20) reach_error();
            return 0;
        }",
        mode: Wrap,
        contracts: || {
            let head = "(and (<= 0 |main::i|) (<= |main::i| 10) (= |main::n| (* 2 |main::i|)))";
            vec![text("main", "true", "true", &[(At::Entry, "true"), (At::Loop(0), head)])]
        },
    },
    Case {
        name: "bits",
        program: "int main(void) {
            unsigned i = 0, n = __VERIFIER_nondet_uint();
            while (i < n) i++;
            if (i != n) reach_error();
            return 0;
        }",
        mode: Bv,
        contracts: || {
            let head = "(bvule |main::i| |main::n|)";
            vec![text("main", "true", "true", &[(At::Entry, "true"), (At::Loop(0), head)])]
        },
    },
    Case {
        name: "call",
        program: "int total, calls;
        int add(int k) {
            if (k < 0) reach_error();
            total = total + k;
            calls++;
            k = 0;
            return total;
        }
        int main(void) {
            int r = add(3);
            if (r != 3) reach_error();
            r = add(r + 1);
            if (total != 7 || r != total || calls != 2) reach_error();
            return 0;
        }",
        mode: Wrap,
        contracts: || {
            let requires = "(and (<= 0 |add::k| 100) (<= 0 total 100) (<= 0 calls 100))";
            let ensures = "(and (= total (+ old.total |old.add::k|)) (= .result total)
                (= calls (+ old.calls 1)))";
            let entry = "(and (<= 0 |add::k| 100) (<= 0 total 100) (<= 0 calls 100)
                (= |add::k| |old.add::k|) (= total old.total) (= calls old.calls))";
            let start = "(and (= total 0) (= calls 0))";
            let between = "(and (= |main::r| 3) (= total 3) (= calls 1))";
            vec![
                text("add", requires, ensures, &[(At::Entry, entry)]),
                text(
                    "main",
                    start,
                    "true",
                    &[
                        (At::Entry, start),
                        (At::Before(0), start),
                        (At::Behind(0), "(and (= total 3) (= calls 1) (= |main::r| 3))"),
                        (At::Before(1), between),
                        (At::Behind(1), "(and (= total 7) (= calls 2) (= |main::r| 7))"),
                    ],
                ),
            ]
        },
    },
    Case {
        name: "recursion",
        program: "int down(int n) {
            if (n <= 0) return 0;
            int r = down(n - 1);
            return r + 1;
        }
        int main(void) {
            int r = down(7);
            if (r != 7) reach_error();
            return 0;
        }",
        mode: Wrap,
        contracts: || {
            let entry = "(and (<= 0 |down::n| 50) (= |down::n| |old.down::n|))";
            let before = "(and (<= 1 |down::n| 50) (= |down::n| |old.down::n|))";
            let behind = "(and (= |down::r| (- |old.down::n| 1)) (<= 1 |old.down::n| 50))";
            vec![
                text(
                    "down",
                    "(<= 0 |down::n| 50)",
                    "(= .result |old.down::n|)",
                    &[(At::Entry, entry), (At::Before(0), before), (At::Behind(0), behind)],
                ),
                text(
                    "main",
                    "true",
                    "true",
                    &[(At::Entry, "true"), (At::Before(0), "true"), (At::Behind(0), "(= |main::r| 7)")],
                ),
            ]
        },
    },
    Case {
        name: "memory",
        program: "int a[4];
        void set(int *p, int v) { *p = v; }
        int main(void) {
            int i = __VERIFIER_nondet_int();
            __VERIFIER_assume(i >= 0 && i < 3);
            set(&a[i], 5);
            if (a[i] != 5 || a[3] != 0) reach_error();
            return 0;
        }",
        mode: Wrap,
        contracts: || {
            let ensures = "(= memory.a (store old.memory.a |old.set::p| |old.set::v|))";
            let entry = "(and (= memory.a old.memory.a) (= |set::p| |old.set::p|) (= |set::v| |old.set::v|))";
            let zero = "(= (select memory.a (+ &a 12)) 0)";
            let before = "(and (= (select memory.a (+ &a 12)) 0) (<= 0 |main::i| 2))";
            let behind = "(and (= (select memory.a (+ &a 12)) 0) (<= 0 |main::i| 2)
                (= (select memory.a (+ &a (* 4 |main::i|))) 5))";
            vec![
                text("set", "true", ensures, &[(At::Entry, entry)]),
                text(
                    "main",
                    zero,
                    "true",
                    &[(At::Entry, zero), (At::Before(0), before), (At::Behind(0), behind)],
                ),
            ]
        },
    },
    Case {
        name: "division",
        program: "int main(void) {
            int d = __VERIFIER_nondet_int(), s = 0;
            __VERIFIER_assume(d > 0);
            while (s < 3) s += 6 / d + 1;
            return s;
        }",
        mode: Wrap,
        contracts: || {
            vec![text("main", "true", "true", &[(At::Entry, "true"), (At::Loop(0), "(> |main::d| 0)")])]
        },
    },
    Case {
        name: "pointers to functions",
        program: "unsigned one(unsigned x) { return 1; }
        unsigned two(unsigned x) { return 2; }
        int main(void) {
            unsigned (*f)(unsigned) = __VERIFIER_nondet_int() ? one : two;
            int r = ((int (*)(int))f)(-1);
            if (r < 1 || r > 2) reach_error();
            return 0;
        }",
        mode: Wrap,
        contracts: || {
            let entry = [(At::Entry, "true")];
            let behind = "(<= 1 |main::r| 2)";
            vec![
                text("one", "true", "(= .result 1)", &entry),
                text("two", "true", "(= .result 2)", &entry),
                text(
                    "main",
                    "true",
                    "true",
                    &[
                        (At::Entry, "true"),
                        (At::Before(0), "true"),
                        (At::Before(1), "true"),
                        (At::Behind(0), behind),
                        (At::Behind(1), behind),
                    ],
                ),
            ]
        },
    },
    Case {
        name: "a static local and a local of one name",
        program: "int f(void) {
            static int x = 1;
            int r = x;
            { int x = 2; r += x; while (x < 5) x++; r += x; }
            if (x != 1) reach_error();
            return r;
        }
        int main(void) {
            int r = f();
            if (r != 8) reach_error();
            return 0;
        }",
        mode: Wrap,
        contracts: || {
            let start = "(= |f::x| 1)";
            let head = "(and (= |f::x| 1) (<= |f::x#auto| 5) (= |f::r| 3))";
            let behind = "(= |main::r| 8)";
            vec![
                text("f", start, "(= .result 8)", &[(At::Entry, start), (At::Loop(0), head)]),
                text(
                    "main",
                    start,
                    "true",
                    &[(At::Entry, start), (At::Before(0), start), (At::Behind(0), behind)],
                ),
            ]
        },
    },
];

#[test]
fn right_ones() {
    for case in CASES {
        for slice in [false, true] {
            let program = compile(case.program);
            let contracts = (case.contracts)();
            let result = check(&program, &proof(&program, case.mode, slice, &contracts));
            let shown = ir::print_function(&program, program.find_function("main").unwrap());
            assert!(result.is_ok(), "{}: {}\n{shown}", case.name, result.unwrap_err());
        }
    }
}
