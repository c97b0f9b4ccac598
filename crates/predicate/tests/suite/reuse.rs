//! What runs that were stopped leave behind, and the ways in which a store may be used.

use crate::support::{Ask, Judged, Kept, ask, compile, with_stack};
use engine::{Holes, PredicateSettings, Reuse, Settings};

/// The ways in which the store may be used.
pub fn ways() -> Vec<(&'static str, Settings)> {
    let with = |reuse: Reuse, holes: Holes| Settings {
        reuse,
        predicate: PredicateSettings { holes },
        ..Settings::default()
    };
    let none = Reuse::NONE;
    vec![
        ("everything", with(Reuse::ALL, Holes::Lazy)),
        ("everything, holes opened at once", with(Reuse::ALL, Holes::Eager)),
        ("summaries of functions", with(Reuse { procedures: true, ..none }, Holes::Lazy)),
        ("summaries of loops", with(Reuse { loops: true, ..none }, Holes::Lazy)),
        ("precisions", with(Reuse { precision: true, ..none }, Holes::Lazy)),
        (
            "what is known of changed functions",
            with(Reuse { precision: true, procedures: true, recheck: true, ..none }, Holes::Lazy),
        ),
        (
            "all summaries, without slicing",
            Settings { slice: false, ..with(Reuse { procedures: true, loops: true, ..none }, Holes::Lazy) },
        ),
    ]
}

/// Wherever a run is stopped, what it leaves behind is true.
#[test]
fn interrupted() {
    const TEXTS: [&str; 3] = [
        "int g; int f(int x) { int i = 0; while (i < x) { i++; if (i == 3) g = 1; } return i; } int h(int x) { return f(x) + 1; }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = h(n); __VERIFIER_assert(r >= 1 && g == 0); }",
        "void f(int x, int y) { __VERIFIER_assert(!(x > 0 && y <= 0)); }
         int main(void) { int z = __VERIFIER_nondet_int(); __VERIFIER_assume(z <= 0); f(z, 1); f(1, z); }",
        "int s; void event(int e) { switch (s) { case 0: if (e == 1) s = 1; break; case 1: s = e == 2 ? 2 : 0; break; default: __VERIFIER_assert(0); } }
         int main(void) { while (1) event(__VERIFIER_nondet_int()); }",
    ];
    with_stack(|| {
        let mut wrong = Vec::new();
        for (i, text) in TEXTS.iter().enumerate() {
            let program = compile(text).unwrap_or_else(|what| panic!("{what}"));
            for steps in 0..36 {
                let kept = Kept::new();
                ask(&program, &Ask { steps: Some(steps), ..Ask::default() }.store(&kept.store));
                let judged = ask(&program, &Ask::default().store(&kept.store)).judged;
                if judged != Judged::Unsafe {
                    wrong.push(format!("program {i}, stopped after {steps} queries: {judged:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
