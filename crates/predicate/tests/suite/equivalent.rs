//! Summaries of functions that changed and do what they did: they are used as they are, and the proof is one
//! all the same.

use crate::support::{Ask, Asked, Judged, Kept, ask, compile, with_stack};
use engine::{Outcome, Reuse, Settings};
use ir::{FuncId, Program};

fn functions(program: &Program, names: &[&str]) -> Vec<FuncId> {
    names.iter().map(|name| program.find_function(name).unwrap_or_else(|| panic!("no {name}"))).collect()
}

/// What is said of functions that keep their summaries.
fn kept(asked: &crate::support::Asked) -> Vec<&str> {
    let decisions = asked.answer.decisions.iter().filter(|d| d.outcome == Outcome::Reused);
    let mut names: Vec<&str> =
        decisions.filter(|d| d.reason.contains("equivalent")).map(|d| &*d.about).collect();
    names.sort();
    names
}

/// Two programs; which functions do what they did, and which of them keep their summaries.
struct Change {
    versions: [&'static str; 2],
    rest: &'static str,
    equivalent: &'static [&'static str],
    kept: &'static [&'static str],
}

const LOOP: &str = "int f(int n) { int s = 0; int i = 0; while (i < n) { s = s + 1; i = i + 1; } return s; }";
const OTHER_LOOP: &str =
    "int f(int m) { int total = 0; for (int k = 0; k < m; k++) { total = 1 + total; } return total; }";
const CALLED: &str = "int g(int x) { int r = f(x); return r; }
    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0);
        int r = g(n); __VERIFIER_assert(r == n); return 0; }";

#[test]
fn equivalent_functions() {
    let check = |change: &Change| {
        let [old, new] = change
            .versions
            .map(|f| compile(&format!("{f}\n{}", change.rest)).unwrap_or_else(|e| panic!("{e}")));
        let store = Kept::new();
        let other = Kept::new();
        for kept in [&store, &other] {
            assert_eq!(ask(&old, &Ask::default().store(&kept.store)).judged, Judged::Safe);
        }
        let equivalent = functions(&new, change.equivalent);
        let asking = Ask { base: Some(&old), equivalent: &equivalent, ..Ask::default().store(&store.store) };
        let asked = ask(&new, &asking);
        assert_eq!(asked.judged, Judged::Safe, "{:?}\n{}", change.versions, asked.decisions());
        assert_eq!(kept(&asked), change.kept, "{:?}\n{}", change.versions, asked.decisions());
        let without = ask(&new, &Ask { base: Some(&old), ..Ask::default().store(&other.store) });
        assert_eq!(without.judged, Judged::Safe);
        // Computed or remembered: those of a function that is not explored are neither.
        let counted = ["abstract successors", "successors known before", "steps taken as they are"];
        let taken = |a: &Asked| counted.map(|name| a.figure(name)).iter().sum::<f64>();
        let [with, without] = [&asked, &without].map(taken);
        assert!(with < without, "{:?}: {with} against {without}", change.versions);
        // They are stored for the function as it is now, with all that they rest on.
        let reuse = Reuse { verdicts: false, recheck: false, ..Reuse::ALL };
        let settings = Settings { reuse, ..Settings::default() };
        let again = ask(&new, &Ask { settings, ..Ask::default().store(&store.store) });
        assert_eq!(again.judged, Judged::Safe, "{}", again.decisions());
        assert!(taken(&again) < without, "{:?}", change.versions);
        let fresh = again.answer.decisions.iter().filter(|d| d.outcome == Outcome::New);
        let fresh: Vec<&str> = fresh.map(|d| &*d.about).filter(|name| change.kept.contains(name)).collect();
        assert!(fresh.is_empty(), "{fresh:?}");
    };
    with_stack(move || {
        check(&Change {
            versions: [LOOP, OTHER_LOOP],
            rest: CALLED,
            equivalent: &["f", "g", "main"],
            kept: &["f", "g", "main"],
        });
        // What is not said to be as before is explored.
        check(&Change { versions: [LOOP, OTHER_LOOP], rest: CALLED, equivalent: &["f"], kept: &["f"] });
        check(&Change {
            versions: ["int f(int x) { return x * 2; }", "int f(int y) { return y + y; }"],
            rest: "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 1000);
                int r = f(n); int i = 0; while (i < n) { i++; } __VERIFIER_assert(r >= n && i == n); return 0; }",
            equivalent: &["f"],
            kept: &["f"],
        });
        check(&Change {
            versions: [
                "int a(int x) { return x + 1; } int b(int x) { return x - 1; }
                 int f(int x) { if (x < 0) return a(x); return b(x); }",
                "int a(int x) { return x + 1; } int b(int x) { return x - 1; }
                 int f(int x) { if (x >= 0) return b(x); return a(x); }",
            ],
            rest: "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > -9 && n < 9);
                int r = f(n); __VERIFIER_assert(r > -9 && r < 9); return 0; }",
            equivalent: &["f"],
            kept: &["f"],
        });
    });
}

/// Whoever says so without reason gets no verdict: the proof is refused.
#[test]
fn wrong_claims() {
    with_stack(|| {
        let [old, new] =
            [LOOP, "int f(int n) { int s = 0; int i = 0; while (i < n) { s = s + 2; i++; } return s; }"]
                .map(|f| compile(&format!("{f}\n{CALLED}")).unwrap_or_else(|e| panic!("{e}")));
        let kept = Kept::new();
        assert_eq!(ask(&old, &Ask::default().store(&kept.store)).judged, Judged::Safe);
        let equivalent = functions(&new, &["f", "g", "main"]);
        let asking = Ask { base: Some(&old), equivalent: &equivalent, ..Ask::default().store(&kept.store) };
        let asked = ask(&new, &asking);
        assert!(matches!(asked.judged, Judged::Refused(_)), "{:?}", asked.judged);
        let reuse = Reuse { equivalent: false, ..Reuse::ALL };
        let settings = Settings { reuse, ..Settings::default() };
        let fresh = Kept::new();
        let asked = ask(&new, &Ask { settings, store: Some(&fresh.store), ..asking });
        assert_eq!(asked.judged, Judged::Unsafe);
    });
}
