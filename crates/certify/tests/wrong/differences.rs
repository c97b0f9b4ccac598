//! Of two versions that do the same no difference is accepted, whatever the input is.
//!
//! Inputs are those on which versions differ that are nearly the same, and those that are made up. So here
//! lie the ways to cheat: pointers that no caller could have, values that no variable of the type holds,
//! objects that overlap.

use crate::comparisons::{answer, judge};
use crate::edit::difference::edit;
use crate::judge::{Figures, Judged, needed};
use crate::versions::{PAIRS, Versions};
use certify::format::{Answer, Bytes, Content, Difference, Value, Verdict};
use equiv::Member;
use std::time::Duration;
use testing::Random;

/// Versions of `f` that do the same for all inputs that C allows.
const SAME: &[[&str; 2]] = &[
    ["int f(int x) { return x < 3; }", "int f(int x) { return !(x >= 3); }"],
    // Types that do not use all of their bits.
    ["_Bool f(_Bool b) { return b; }", "_Bool f(_Bool b) { return b ? 1 : 0; }"],
    ["int f(_Bool b) { return b + 1; }", "int f(_Bool b) { if (b) return 2; return 1; }"],
    ["int f(_Bool *b) { return *b + 1; }", "int f(_Bool *b) { if (*b) return 2; return 1; }"],
    ["_Bool g; int f(void) { return g + 1; }", "_Bool g; int f(void) { if (g) return 2; return 1; }"],
    ["int f(signed char c) { return c < 128; }", "int f(signed char c) { return 1; }"],
    [
        "extern _Bool in(void); int f(void) { return in() + 1; }",
        "extern _Bool in(void); int f(void) { if (in()) return 2; return 1; }",
    ],
    [
        "extern unsigned char in(void); int f(void) { return in() < 256; }",
        "extern unsigned char in(void); int f(void) { in(); return 1; }",
    ],
    [
        "_Bool __VERIFIER_nondet_bool(void); int f(void) { return __VERIFIER_nondet_bool() + 1; }",
        "_Bool __VERIFIER_nondet_bool(void); int f(void) { if (__VERIFIER_nondet_bool()) return 2; return 1; }",
    ],
    // Pointers to numbers: each number is the one or the other, or none of both.
    [
        "void f(int *p, int *q) { *p = 1; *q = 2; if (p == q) *q = 3; }",
        "void f(int *p, int *q) { *q = 2; *p = 1; if (p == q) *p = 3; }",
    ],
    [
        "int f(int *p, int *q) { *p = 1; *q = 2; return *p; }",
        "int f(int *p, int *q) { *p = 1; *q = 2; return p == q ? 2 : 1; }",
    ],
    [
        "int f(long *p, long *q) { *p = 1; *q = 2; return *p == 1; }",
        "int f(long *p, long *q) { *p = 1; *q = 2; return p != q; }",
    ],
    [
        "int f(short *p, short *q) { *p = 7; short before = *q; *p = 8; return *q != before; }",
        "int f(short *p, short *q) { *p = 8; return p == q; }",
    ],
    // The same, where pointers come out of memory.
    [
        "int f(int **a) { *a[0] = 1; *a[1] = 2; return *a[0]; }",
        "int f(int **a) { *a[0] = 1; *a[1] = 2; return a[0] == a[1] ? 2 : 1; }",
    ],
    [
        "struct s { int x; int y; }; int f(struct s *p, struct s *q) { p->x = 1; q->x = 2; return p->x; }",
        "struct s { int x; int y; }; int f(struct s *p, struct s *q) { p->x = 1; q->x = 2; return p == q ? 2 : 1; }",
    ],
    [
        "int *g; int f(int *p) { *p = 1; *g = 2; return *p; }",
        "int *g; int f(int *p) { *p = 1; *g = 2; return p == g ? 2 : 1; }",
    ],
    // What nobody set has any value, each time.
    ["int f(int n) { int x; return n; }", "int f(int n) { int x; if (x != 3) return n; return n; }"],
    [
        "int a[3]; int f(int i) { return i < 3 && i >= 0 ? a[i] : 0; }",
        "int a[3]; int f(int i) { if (i < 0 || i > 2) return 0; return *(a + i); }",
    ],
];

struct Effort {
    made_up: u64,
    changes: usize,
}

fn nothing() -> Difference {
    Difference {
        args: [Vec::new(), Vec::new()],
        objects: vec![16, 16, 8],
        memory: Vec::new(),
        inputs: Vec::new(),
        returns: Vec::new(),
    }
}

fn shown(same: &Versions, difference: Difference) -> Answer {
    let functions = [0, 1].map(|i: usize| same.programs[i].function(same.functions[i]).name.to_string());
    Answer { functions, verdict: Verdict::Different(Box::new(difference)) }
}

fn attempt(same: &Versions, start: &Difference, changes: &[u64], of: &str, figures: &mut Figures) {
    let made = |changes: &[u64]| {
        let mut difference = start.clone();
        changes.iter().for_each(|change| edit(&mut difference, same, &mut Random::new(*change)));
        difference
    };
    let found = |changes: &[u64]| judge(same, &shown(same, made(changes)));
    let wrong = |changes: &[u64]| !matches!(found(changes), Ok((judged, _)) if judged != Judged::Accepted);
    if wrong(changes) {
        let changes = needed(changes, &wrong);
        panic!("{:?}: changes {changes:?}: {:#?}\n{:?}", found(&changes), made(&changes), same.texts);
    }
    if let Ok((judged, _)) = found(changes) {
        figures.count(of, judged);
    }
}

fn all(effort: &Effort) {
    let mut figures = Figures::default();
    let changes = |seed: u64| -> Vec<u64> {
        let mut random = Random::new(seed);
        (0..1 + random.below(effort.changes)).map(|_| random.number()).collect()
    };
    for (number, texts) in (0u64..).zip(SAME) {
        let same = Versions::new(texts.map(str::to_owned), "f");
        for seed in 0..effort.made_up {
            attempt(&same, &nothing(), &changes(number << 32 | seed), "made up", &mut figures);
        }
    }
    // Of pairs whose new version was edited.
    for (number, pair) in (0u64..).zip(PAIRS) {
        let same = pair.versions();
        for (nth, edit) in (1u64..).zip(pair.edits) {
            let different = pair.edited(*edit);
            let Some(answer) = answer(&different, &[Member::Concrete], Duration::from_secs(4)) else {
                continue;
            };
            let Verdict::Different(difference) = &answer.verdict else { panic!("{}: {edit:?}", pair.name) };
            let judged = judge(&different, &answer);
            assert_eq!(judged, Ok((Judged::Accepted, true)), "{}: {edit:?}", pair.name);
            figures.count("true difference", Judged::Accepted);
            attempt(&same, difference, &[], "of an edited pair", &mut figures);
            for seed in 0..effort.made_up / 8 {
                let changes = changes(number << 40 | nth << 32 | seed);
                attempt(&same, difference, &changes, "changed", &mut figures);
            }
        }
    }
    println!("{figures}");
}

fn on_large_stack(effort: &Effort) {
    cfront::with_stack(|| all(effort)).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn no_difference_of_what_is_the_same() {
    on_large_stack(&Effort { made_up: 60, changes: 8 });
}

#[test]
#[ignore = "long"]
fn no_difference_of_what_is_the_same_long() {
    on_large_stack(&Effort { made_up: 3000, changes: 12 });
}

/// Pointers that no caller could have, since they are not aligned as their types demand. Proofs of equivalence
/// rest on that: `equiv` keeps a number at its address, and no other number overlaps it.
#[test]
fn pointers_are_aligned() {
    let texts = [
        "int f(int *p, int *q) { *p = 1; *q = 2; return *p; }",
        "int f(int *p, int *q) { *p = 1; *q = 2; return p == q ? 2 : 1; }",
    ];
    let same = Versions::new(texts.map(str::to_owned), "f");
    let proof = answer(&same, &[Member::Candidates], Duration::from_secs(10)).expect("they are the same");
    assert_eq!(judge(&same, &proof), Ok((Judged::Accepted, false)));
    for (offset, whole) in [(1, 16), (2, 16), (-2, 16), (3, 8)] {
        let args = vec![Value::Object(0, 4), Value::Object(0, 4 + offset)];
        let difference = Difference { args: [args.clone(), args], objects: vec![whole], ..nothing() };
        let judged = judge(&same, &shown(&same, difference));
        assert_eq!(judged, Ok((Judged::Open, false)), "{offset}");
    }
    // Nor may they come out of memory.
    let texts = [
        "int f(int **a) { *a[0] = 1; *a[1] = 2; return *a[0]; }",
        "int f(int **a) { *a[0] = 1; *a[1] = 2; return a[0] == a[1] ? 2 : 1; }",
    ];
    let same = Versions::new(texts.map(str::to_owned), "f");
    let content = |value: Value| Content::Pointer(value);
    let at = |offset: u64, to: i64| Bytes {
        object: Some(0),
        global: None,
        offset,
        content: content(Value::Object(1, to)),
    };
    let args = vec![Value::Object(0, 0)];
    let memory = vec![at(0, 0), at(8, 2)];
    let difference = Difference { args: [args.clone(), args], memory, ..nothing() };
    assert_eq!(judge(&same, &shown(&same, difference)), Ok((Judged::Open, false)));
}
