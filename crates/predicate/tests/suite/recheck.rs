//! Summaries of changed functions: they are kept where they still hold, and only there.

use crate::support::{Ask, Judged, Kept, ask, compile, with_stack};
use engine::Outcome;

/// Two versions of a program; what is to be said of `f`, and how many abstract successors are computed for
/// the second, at most.
struct Change {
    versions: [&'static str; 2],
    safe: bool,
    about_f: Outcome,
    about_callers: Outcome,
    most: f64,
}

const MAIN: &str = "int g(int x) { int r = f(x); return r; }
    int main(void) { int n = __VERIFIER_nondet_int(); int r = g(n); __VERIFIER_assert(r >= n); return 0; }";

#[test]
fn changed_functions() {
    let check = |change: &Change| {
        let kept = Kept::new();
        let [old, new] =
            change.versions.map(|f| compile(&format!("{f}\n{MAIN}")).unwrap_or_else(|e| panic!("{e}")));
        assert_eq!(ask(&old, &Ask::seconds(20.0).store(&kept.store)).judged, Judged::Safe);
        let fresh = ask(&new, &Ask::seconds(20.0));
        let asked = ask(&new, &Ask::seconds(20.0).store(&kept.store));
        let expected = if change.safe { Judged::Safe } else { Judged::Unsafe };
        assert_eq!((&fresh.judged, &asked.judged), (&expected, &expected), "{:?}", change.versions);
        let said = asked.answer.decisions.iter().find(|d| d.about == "f").map(|d| d.outcome);
        assert_eq!(said, Some(change.about_f), "{:?}\n{}", change.versions, asked.decisions());
        // What calls it did not change, and nothing in there has to be looked at if `f` does what is relied
        // on.
        let said = |name: &str| asked.answer.decisions.iter().find(|d| d.about == name).map(|d| d.outcome);
        let callers = Some(change.about_callers);
        assert_eq!((said("g"), said("main")), (callers, callers), "{:?}", change.versions);
        let taken = asked.figure("steps taken as they are") + asked.figure("successors known before");
        assert!(!change.safe || taken <= change.most, "{:?}: {taken} steps", change.versions);
        let computed = asked.figure("abstract successors");
        assert!(computed <= change.most, "{:?}: {computed} successors", change.versions);
        // What was found out about it now is not found out again.
        let again = ask(&new, &Ask::seconds(20.0).store(&kept.store));
        assert_eq!(again.judged, expected);
        if change.safe {
            assert_eq!(again.figure("abstract successors"), 0.0, "{:?}", change.versions);
        }
    };
    let positive = "int f(int x) { if (x < 0) return 0; return x; }";
    with_stack(move || {
        // The result is another one, but all that callers rely on is as it was.
        check(&Change {
            versions: [positive, "int f(int x) { if (x < 0) return 7; return x; }"],
            safe: true,
            about_f: Outcome::Rechecked,
            about_callers: Outcome::Reused,
            most: 4.0,
        });
        check(&Change {
            versions: [positive, "int f(int x) { int y = x; if (y < 0) { y = 0; } return y; }"],
            safe: true,
            about_f: Outcome::Rechecked,
            about_callers: Outcome::Reused,
            most: 6.0,
        });
        check(&Change {
            versions: [positive, "int f(int x) { if (x < -1) return -5; return x; }"],
            safe: false,
            about_f: Outcome::New,
            about_callers: Outcome::New,
            most: 40.0,
        });
        // What the interval analysis says of it is as before, what is relied on is not.
        check(&Change {
            versions: [
                positive,
                "int f(int x) { if (x < 0) return 0; if (x > 5 && x < 9) return 3; return x; }",
            ],
            safe: false,
            about_f: Outcome::New,
            about_callers: Outcome::Rejected,
            most: 40.0,
        });
    });
}
