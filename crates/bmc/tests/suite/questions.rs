//! Questions that the command line does not ask: bounds of zero, and one name for everything.

use crate::support::{Ask, ask, with_stack, word};
use ir::Target;
use store::Store;
use testing::with_prelude as compile;

/// No loop is passed; what comes before it is looked at.
#[test]
fn bounds_of_zero() {
    with_stack(|| {
        let loop_first = "int main(void) { int n = __VERIFIER_nondet_int();
            for (int i = 0; i < n; i++) __VERIFIER_assert(i != 1); }";
        let check_first =
            "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(n != 3); while (n) n--; }";
        for (text, expected) in [(loop_first, "unknown: safe up to 0"), (check_first, "unsafe")] {
            let program = compile(text, Target::LP64, &[]).unwrap_or_else(|what| panic!("{what}"));
            let found = word(&ask(&program, &Ask::bound(0)));
            assert!(found.starts_with(expected), "{found}, expected {expected}: {text}");
        }
    });
}

/// One name for programs that have nothing to do with each other: targets, entries.
#[test]
fn one_label_for_everything() {
    with_stack(|| {
        let text =
            "int g = 1; int f(long x) { return x == (int)x; } int other(void) { return f(1L << 20 << 20); }
            int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_long())); }
            int start(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(f(x)); }
            int bad(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(f(x) && x != 3); }";
        let Ok(folder) = tempfile::tempdir() else { panic!("no folder") };
        let Ok(store) = Store::open(folder.path(), store::Options::default()) else { panic!("no store") };
        let rounds = [
            (Target::ILP32, "main", "safe"),
            (Target::LP64, "main", "unsafe"),
            (Target::LP64, "start", "safe"),
            (Target::ILP32, "bad", "unsafe"),
            (Target::LP64, "bad", "unsafe"),
            (Target::ILP32, "start", "safe"),
            (Target::LP64, "main", "unsafe"),
        ];
        for (target, entry, expected) in rounds {
            let program = match compile(text, target, &[]) {
                Ok(program) => program,
                Err(what) => panic!("{what}"),
            };
            for how in [Ask::bound(2), Ask::up_to(4)] {
                let answer = ask(&program, &Ask { entry, ..how.store(&store).audited() });
                assert_eq!(word(&answer), expected, "{entry} {target:?} {:?}", answer.decisions);
            }
        }
    });
}
