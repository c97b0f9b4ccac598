//! Contracts by hand, and damaged ones.

use crate::support::{At, Text, check, check_knowing, compile, proof, text};
use certify::Flaw;
use certify::program::{Known, What};
use encode::IntMode::{self, Bv, Wrap};
use engine::Argument;
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
            while (s < 3) { if (d == 0) reach_error(); s += 6 / d + 1; }
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

/// What is done to the contract of a function.
enum Damage {
    Requires(&'static str),
    Ensures(&'static str),
    Invariant(At, &'static str),
    /// The invariant goes.
    Nothing(At),
    /// The whole contract goes.
    Gone,
}
use Damage::*;

/// The part of a proof that must fail, by the function that it is in.
#[derive(Debug, PartialEq)]
enum Fails {
    Initially,
    Entry,
    Preserved,
    Call,
    Behind,
    Returns,
    Check,
    Meaning,
    /// It is no proof at all.
    Malformed,
}

const DAMAGES: &[(&str, &str, Damage, &str, Fails)] = &[
    // Requires.
    ("loop", "main", Requires("false"), "main", Fails::Initially),
    ("call", "main", Requires("(= total 1)"), "main", Fails::Initially),
    ("call", "main", Requires("(= total 0)"), "main", Fails::Entry),
    ("call", "add", Requires("true"), "add", Fails::Entry),
    (
        "call",
        "add",
        Requires("(and (<= 0 |add::k| 3) (<= 0 total 100) (<= 0 calls 100))"),
        "main",
        Fails::Call,
    ),
    ("recursion", "down", Requires("(<= 1 |down::n| 50)"), "down", Fails::Call),
    ("recursion", "down", Requires("(<= |down::n| 50)"), "down", Fails::Entry),
    ("pointers to functions", "two", Requires("(= |two::x| 0)"), "main", Fails::Call),
    // Ensures.
    ("call", "add", Ensures("true"), "main", Fails::Behind),
    ("call", "add", Ensures("false"), "add", Fails::Returns),
    ("call", "add", Ensures("(= total old.total)"), "add", Fails::Returns),
    ("call", "add", Ensures("(= .result (+ total |old.add::k|))"), "add", Fails::Returns),
    ("call", "add", Ensures("(= total (+ old.total |old.add::k|))"), "main", Fails::Behind),
    ("recursion", "down", Ensures("(<= .result |old.down::n|)"), "down", Fails::Behind),
    ("recursion", "down", Ensures("(= .result 7)"), "down", Fails::Returns),
    ("memory", "set", Ensures("(= (select memory.a |old.set::p|) |old.set::v|)"), "main", Fails::Behind),
    ("pointers to functions", "two", Ensures("true"), "main", Fails::Behind),
    // Invariants.
    ("loop", "main", Invariant(At::Entry, "false"), "main", Fails::Entry),
    ("loop", "main", Invariant(At::Loop(0), "true"), "main", Fails::Check),
    ("loop", "main", Invariant(At::Loop(0), "false"), "main", Fails::Preserved),
    ("loop", "main", Invariant(At::Loop(0), "(= |main::n| (* 2 |main::i|))"), "main", Fails::Check),
    ("loop", "main", Invariant(At::Loop(0), "(<= |main::i| 10)"), "main", Fails::Check),
    (
        "loop",
        "main",
        Invariant(At::Loop(0), "(and (<= |main::i| 10) (= |main::n| (* 3 |main::i|)))"),
        "main",
        Fails::Preserved,
    ),
    ("bits", "main", Invariant(At::Loop(0), "(bvult |main::i| |main::n|)"), "main", Fails::Preserved),
    // A signed comparison is another one.
    ("bits", "main", Invariant(At::Loop(0), "(bvsle |main::i| |main::n|)"), "main", Fails::Preserved),
    ("call", "add", Invariant(At::Entry, "(<= 0 |add::k| 100)"), "add", Fails::Returns),
    ("call", "main", Invariant(At::Before(1), "(and (= |main::r| 3) (= calls 1))"), "main", Fails::Call),
    ("call", "main", Invariant(At::Behind(1), "(= total 7)"), "main", Fails::Check),
    ("division", "main", Invariant(At::Loop(0), "true"), "main", Fails::Check),
    ("division", "main", Invariant(At::Loop(0), "(>= |main::d| 0)"), "main", Fails::Check),
    ("memory", "main", Invariant(At::Before(0), "(<= 0 |main::i| 2)"), "main", Fails::Behind),
    // What now is, and what was.
    ("call", "add", Invariant(At::Entry, "(= |add::k| old.total)"), "add", Fails::Entry),
    ("recursion", "down", Invariant(At::Before(0), "(<= 1 |down::n| 50)"), "down", Fails::Behind),
    ("recursion", "down", Invariant(At::Behind(0), "(= |down::r| (- |down::n| 1))"), "down", Fails::Returns),
    (
        "memory",
        "set",
        Ensures("(= old.memory.a (store memory.a |old.set::p| |old.set::v|))"),
        "set",
        Fails::Returns,
    ),
    // What is not there.
    ("loop", "main", Nothing(At::Entry), "main", Fails::Entry),
    ("loop", "main", Nothing(At::Loop(0)), "main", Fails::Preserved),
    ("call", "main", Nothing(At::Behind(0)), "main", Fails::Behind),
    ("call", "main", Nothing(At::Before(1)), "main", Fails::Preserved),
    ("call", "main", Gone, "main", Fails::Initially),
    ("call", "add", Gone, "main", Fails::Call),
    ("recursion", "down", Gone, "main", Fails::Call),
    ("pointers to functions", "one", Gone, "main", Fails::Call),
    // Variables that mean nothing where they are used.
    ("call", "add", Requires("(= |main::r| 0)"), "", Fails::Malformed),
    ("call", "add", Requires("(= |old.add::k| 0)"), "", Fails::Malformed),
    ("call", "add", Requires("(= .result 0)"), "", Fails::Malformed),
    ("call", "add", Ensures("(= |add::k| 0)"), "", Fails::Malformed),
    ("call", "add", Ensures("(= |main::r| 0)"), "", Fails::Malformed),
    ("call", "add", Ensures("!made.up"), "", Fails::Malformed),
    ("recursion", "down", Requires("(= |down::r| 0)"), "", Fails::Malformed),
    ("recursion", "down", Ensures("(= |old.down::r| 0)"), "", Fails::Malformed),
    ("call", "main", Invariant(At::Before(1), "(= |add::k| 0)"), "", Fails::Malformed),
    ("call", "add", Invariant(At::Entry, "!made.up"), "", Fails::Malformed),
    ("call", "add", Invariant(At::Entry, "(+ |add::k| 1)"), "", Fails::Malformed),
];

#[test]
fn damaged_ones() {
    for (case, function, damage, place, expected) in DAMAGES {
        let found = CASES.iter().find(|c| c.name == *case).unwrap();
        let program = compile(found.program);
        let mut contracts = (found.contracts)();
        let at = contracts.iter().position(|c| c.function == *function).unwrap();
        let contract = &mut contracts[at];
        let shown = match damage {
            Requires(text) => {
                contract.requires = text;
                format!("requires {text}")
            }
            Ensures(text) => {
                contract.ensures = text;
                format!("ensures {text}")
            }
            Invariant(at, text) => {
                let old = contract.invariants.iter_mut().find(|(place, _)| place == at).unwrap();
                old.1 = text;
                format!("{at:?}: {text}")
            }
            Nothing(at) => {
                contract.invariants.retain(|(place, _)| place != at);
                format!("{at:?}: nothing")
            }
            Gone => {
                contracts.remove(at);
                "gone".to_owned()
            }
        };
        let what = format!("{case}: {function} {shown}");
        let refused = match check(&program, &proof(&program, found.mode, false, &contracts)) {
            Ok(_) => panic!("{what}: accepted"),
            Err(refused) => refused,
        };
        let (clause, kind) = match (&refused.flaw, &refused.clause) {
            (Flaw::Malformed(_), None) => (String::new(), Fails::Malformed),
            (Flaw::Wrong(_), Some(clause)) => (clause.function.clone(), kind(&clause.what)),
            _ => panic!("{what}: {refused}"),
        };
        assert_eq!((clause.as_str(), &kind), (*place, expected), "{what}: {refused}");
    }
}

fn kind(what: &What) -> Fails {
    match what {
        What::Initially => Fails::Initially,
        What::Entry => Fails::Entry,
        What::Preserved { .. } => Fails::Preserved,
        What::Call(_) => Fails::Call,
        What::Behind { .. } => Fails::Behind,
        What::Returns => Fails::Returns,
        What::Check => Fails::Check,
        What::Meaning(_) => Fails::Meaning,
        What::Bound(_) => unreachable!("contracts have no bound"),
    }
}

/// Nobody can get a proof accepted by saying things twice, or of things that are not there.
#[test]
fn forms() {
    let case = &CASES[0];
    let more = "int outside(void); int other(void) { return outside(); }";
    let program = compile(&format!("{} {more}", case.program));
    let change = |change: &dyn Fn(&mut IntMode, &mut Vec<engine::Contract>), expected: &str| {
        let mut proof = proof(&program, case.mode, false, &(case.contracts)());
        let Argument::Contracts { mode, contracts } = &mut proof.argument else { unreachable!() };
        change(mode, contracts);
        let refused = check(&program, &proof).unwrap_err();
        assert!(matches!(refused.flaw, Flaw::Malformed(_)), "{refused}");
        assert!(refused.to_string().contains(expected), "{refused}");
    };
    change(&|_, list| list.push(list[0].clone()), "main has two contracts");
    change(&|_, list| list[0].function = ir::FuncId(99), "a function that is not there");
    change(&|_, list| list[0].function = program.find_function("outside").unwrap(), "has no body");
    change(&|_, list| list[0].invariants.extend_from_within(0..1), "has two invariants");
    change(&|_, list| list[0].invariants[0].0 = ir::NodeId(4), "is no cut point");
    change(&|_, list| list[0].invariants[0].0 = ir::NodeId(400), "is no cut point");
    // The integers of the proof are not those of the program.
    change(&|mode, _| *mode = Bv, "means nothing there");
    change(&|mode, _| *mode = IntMode::Unbounded, "not those of C");
}

/// What was shown once need not be shown again; what was not is.
#[test]
fn known_obligations() {
    #[derive(Default)]
    struct Kept(BTreeSet<[u8; 32]>);
    impl Known for Kept {
        fn holds(&self, key: &[u8; 32]) -> bool {
            self.0.contains(key)
        }
        fn learn(&mut self, key: [u8; 32]) {
            self.0.insert(key);
        }
    }
    let case = CASES.iter().find(|c| c.name == "call").unwrap();
    let program = compile(case.program);
    let mut contracts = (case.contracts)();
    let mut kept = Kept::default();
    let mut check = |contracts: &[Text]| {
        check_knowing(&program, &proof(&program, case.mode, false, contracts), &mut kept)
    };
    let first = check(&contracts).unwrap();
    let again = check(&contracts).unwrap();
    assert!(first.queries > 5 && first.known == 0, "{first:?}");
    assert_eq!((again.queries, again.known), (0, first.queries));
    contracts[0].ensures =
        "(and (= total (+ old.total |old.add::k|)) (= .result total) (= calls (+ old.calls 1))
        (<= 0 total))";
    let changed = check(&contracts).unwrap();
    assert!(changed.queries > 0 && changed.known > 0 && changed.queries < first.queries, "{changed:?}");
    contracts[0].ensures = "true";
    assert!(check(&contracts).is_err());
}
