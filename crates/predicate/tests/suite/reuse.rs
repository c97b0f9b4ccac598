//! Versions that were made to mislead: what was true of a fragment then seems to be true of it now.
//!
//! Every history is run with one store, in all ways of reusing what it has. A first version often is only
//! there to leave a precision behind, so that the second one says in its summaries what it knows from
//! elsewhere; the last is where that is no longer so.

use crate::support::{Ask, Judged, Kept, ask, compile, observe, with_stack};
use engine::{Holes, PredicateSettings, Reuse, Settings};

/// Versions of a program with what is true of them: "safe", "safe?" (it may be too hard), "unsafe", or "not
/// safe" where a run can do something without meaning.
struct History {
    name: &'static str,
    versions: &'static [(&'static str, &'static str)],
}

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

fn check(list: &[History]) {
    with_stack(|| {
        let only = std::env::var("REPROVE_TEST_ONLY").unwrap_or_default();
        let chosen = list.iter().filter(|history| history.name.contains(&only));
        let wrong: Vec<String> = chosen.flat_map(complaints).collect();
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    });
}

fn complaints(history: &History) -> Vec<String> {
    let mut wrong = Vec::new();
    for (way, settings) in ways() {
        let kept = Kept::new();
        for (i, (expected, text)) in history.versions.iter().enumerate() {
            let mut complain =
                |what: String| wrong.push(format!("{}, {way}, version {i}: {what}", history.name));
            let program = match compile(text) {
                Ok(program) => program,
                Err(what) => {
                    complain(what);
                    break;
                }
            };
            let seen = observe(&program, 60);
            if expected.starts_with("safe") && (seen.fails || seen.undefined) {
                complain(format!("it is expected to be safe, but {seen:?}"));
            }
            let asked =
                ask(&program, &Ask { settings: settings.clone(), ..Ask::seconds(3.0) }.store(&kept.store));
            if std::env::var("REPROVE_TEST_SHOW").is_ok() {
                println!("{} {way} {i}: {:?}\n{}", history.name, asked.judged, asked.decisions());
            }
            let fits = match asked.judged {
                // What the certificate would have to say was replaced in the store by that of another
                // version.
                Judged::Safe | Judged::Refused(_) => expected.starts_with("safe"),
                Judged::Unsafe => *expected == "unsafe",
                // A slow machine.
                Judged::OutOfTime => true,
                Judged::Unknown(_) => *expected == "not safe" || *expected == "safe?",
                Judged::NotReplayed(_) => false,
            };
            if !fits {
                complain(format!("{:?}, expected {expected}\n{}", asked.judged, asked.decisions()));
            }
        }
    }
    wrong
}

#[test]
fn what_the_fragment_does_not_say() {
    check(&[
        History {
            name: "a parameter that is changed before the loop",
            versions: &[
                ("safe?", "int f(int p) { int i = 0; int q = p; p = 7; while (i < q) i++; return i; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(f(n) <= n || n < 0); }"),
                ("safe", "int f(int p) { int i = 0; while (i < p) i++; return i; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(f(n) <= n || n < 0); }"),
                ("unsafe", "int f(int p) { int i = 0; p = p + 1; while (i < p) i++; return i; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(f(n) <= n || n < 0); }"),
            ],
        },
        History {
            name: "a global that is changed before the loop",
            versions: &[
                ("safe", "int g; int f(void) { int i = 0; int q = g; g = 7; while (i < q) i++; return i; }
                    int main(void) { int n = __VERIFIER_nondet_int(); g = n; __VERIFIER_assert(f() <= n || n < 0); }"),
                ("safe", "int g; int f(void) { int i = 0; while (i < g) i++; return i; }
                    int main(void) { int n = __VERIFIER_nondet_int(); g = n; __VERIFIER_assert(f() <= n || n < 0); }"),
                ("unsafe", "int g; int f(void) { int i = 0; g = g + 1; while (i < g) i++; return i; }
                    int main(void) { int n = __VERIFIER_nondet_int(); g = n; __VERIFIER_assert(f() <= n || n < 0); }"),
            ],
        },
        History {
            name: "bounds of a global that a parameter hides",
            versions: &[
                ("safe", "int x; int get(void) { return x; } int f(int x) { int r = get(); int q = r - 5; if (q > 0) r = r - q; return x > 9 ? 0 : r; }
                    int main(void) { x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0); __VERIFIER_assert(f(3) <= 5); }"),
                ("safe", "int x; int get(void) { return x; } int f(int x) { int r = get(); return x > 9 ? 0 : r; }
                    int main(void) { x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x <= 5); __VERIFIER_assert(f(3) <= 5); }"),
                ("unsafe", "int x; int get(void) { return x; } int f(int x) { int r = get(); return x > 9 ? 0 : r; }
                    int main(void) { x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x <= 50); __VERIFIER_assert(f(3) <= 5); }"),
            ],
        },
        History {
            name: "bounds from the caller",
            versions: &[
                ("safe", "int f(int x) { int r = x; int q = r - 5; if (q > 0) r = r - q; return r; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0); __VERIFIER_assert(f(n) <= 5); }"),
                ("safe", "int f(int x) { int r = x; return r; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 5); __VERIFIER_assert(f(n) <= 5); }"),
                ("unsafe", "int f(int x) { int r = x; return r; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 6); __VERIFIER_assert(f(n) <= 5); }"),
            ],
        },
        History {
            name: "bounds of another caller",
            versions: &[
                ("safe", "int f(int x) { int r = x; int q = r - 5; if (q > 0) r = r - q; return r; } int g(int x) { return f(x); }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 50); __VERIFIER_assert(g(n) <= 5); }"),
                ("safe", "int f(int x) { int r = x; return r; } int g(int x) { return f(x); }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 5); __VERIFIER_assert(g(n) <= 5); }"),
                ("unsafe", "int f(int x) { int r = x; return r; } int g(int x) { return f(x); }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 5); __VERIFIER_assert(g(n) <= 5); __VERIFIER_assert(f(n + 1) <= 5); }"),
            ],
        },
        History {
            name: "a loop whose entry has other bounds",
            versions: &[
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = __VERIFIER_nondet_int(); if (y > 9) y = y - (y - 9);
                    while (x < n) { x++; if (x > 50) y = y - 1 + 1; } __VERIFIER_assert(y <= 9); }"),
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = __VERIFIER_nondet_int() & 7;
                    while (x < n) { x++; if (x > 50) y = y - 1 + 1; } __VERIFIER_assert(y <= 9); }"),
                ("unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = __VERIFIER_nondet_int() & 15;
                    while (x < n) { x++; if (x > 50) y = y - 1 + 1; } __VERIFIER_assert(y <= 9); }"),
            ],
        },
        History {
            name: "a check behind the loop",
            versions: &[
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n >= 0); while (i < n) i++; __VERIFIER_assert(i == n); }"),
                ("unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n >= 0); while (i < n) i++; __VERIFIER_assert(i != n || n == 3); }"),
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n >= 0); while (i < n) i++; __VERIFIER_assert(i >= n); }"),
            ],
        },
        History {
            name: "a check behind the loop, and then the end",
            versions: &[
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n >= 0); while (i < n) i++; __VERIFIER_assert(i == n); exit(0); }"),
                ("unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n >= 0); while (i < n) i++; __VERIFIER_assert(i != n || n == 3); exit(0); }"),
            ],
        },
        History {
            name: "a check behind two loops",
            versions: &[
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0; while (i < n) { i++; j = 0; while (j < i) { j++; if (n == 77) goto out; } } exit(0); out: __VERIFIER_assert(j > 0); exit(0); }"),
                ("unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0; while (i < n) { i++; j = 0; while (j < i) { j++; if (n == 77) goto out; } } exit(0); out: __VERIFIER_assert(j > 1); exit(0); }"),
            ],
        },
        History {
            name: "a division behind the loop",
            versions: &[
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n > 0); while (i < n) i++; __VERIFIER_assert(5 / i >= 0); }"),
                ("unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; __VERIFIER_assume(n > 0); while (i < n) i++; __VERIFIER_assert(5 / (i - 2) >= 0 || i < n); }"),
            ],
        },
        History {
            name: "the first state",
            versions: &[
                ("safe", "int g = 3; int main(void) { while (__VERIFIER_nondet_int()) { if (g < 3) g = 9; __VERIFIER_assert(g == 3); } }"),
                ("unsafe", "int g = 2; int main(void) { while (__VERIFIER_nondet_int()) { if (g < 3) g = 9; __VERIFIER_assert(g == 3); } }"),
                ("unsafe", "int g; int main(void) { while (__VERIFIER_nondet_int()) { if (g < 3) g = 9; __VERIFIER_assert(g == 3); } }"),
                ("safe", "int g = 3; int main(void) { while (__VERIFIER_nondet_int()) { if (g < 3) g = 9; __VERIFIER_assert(g == 3); } }"),
            ],
        },
    ]);
}

#[test]
fn names() {
    check(&[
        History {
            name: "a static local takes the name",
            versions: &[
                ("safe", "int inc(int v) { return v > 50 ? v : v + 1; } int main(void) { int x = 0, n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 100);
                    do { x = inc(x); n--; } while (n > 0); __VERIFIER_assert(x >= 1); }"),
                ("unsafe", "int inc(int v) { return v > 50 ? v : v + 1; } int main(void) { int x = 0, n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 100);
                    do { x = inc(x); n--; } while (n > 0); int y = x; { static int x; if (y == 7) x = 1; __VERIFIER_assert(x >= 1); } }"),
            ],
        },
        History {
            name: "locals that exchange names",
            versions: &[
                ("safe", "int inc(int v) { return v > 50 ? v : v + 1; } int main(void) { int x = 0, y = 0, n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 100);
                    do { x = inc(x); y = 0; n--; } while (n > 0); __VERIFIER_assert(x >= 1 && y == 0); }"),
                ("unsafe", "int inc(int v) { return v > 50 ? v : v + 1; } int main(void) { int y = 0, x = 0, n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 100);
                    do { y = inc(y); x = 0; n--; } while (n > 0); __VERIFIER_assert(x >= 1 || y == 0); }"),
                ("safe", "int inc(int v) { return v > 50 ? v : v + 1; } int main(void) { int y = 0, x = 0, n = __VERIFIER_nondet_int(); __VERIFIER_assume(n < 100);
                    do { y = inc(y); x = 0; n--; } while (n > 0); __VERIFIER_assert(x == 0 && y >= 1); }"),
            ],
        },
        History {
            name: "parameters that exchange names",
            versions: &[
                ("safe", "int sub(int a, int b) { int r = 0; while (b < a) { b++; r++; } return r; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 100); int r = sub(n, 0); __VERIFIER_assert(r == n); }"),
                ("unsafe", "int sub(int b, int a) { int r = 0; while (a < b) { a++; r++; } return r; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 100); int r = sub(0, n); __VERIFIER_assert(r == n); }"),
                ("safe", "int sub(int b, int a) { int r = 0; while (a < b) { a++; r++; } return r; }
                    int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 100); int r = sub(n, 0); __VERIFIER_assert(r == n); }"),
            ],
        },
        History {
            name: "globals that exchange names",
            versions: &[
                ("safe", "int a, b; void f(void) { if (a < b) a = b; } int main(void) { a = __VERIFIER_nondet_int(); b = __VERIFIER_nondet_int(); f(); __VERIFIER_assert(a >= b); }"),
                ("unsafe", "int a, b; void f(void) { if (b < a) b = a; } int main(void) { a = __VERIFIER_nondet_int(); b = __VERIFIER_nondet_int(); f(); __VERIFIER_assert(a >= b); }"),
                ("safe", "int a, b; void f(void) { if (b < a) b = a; } int main(void) { a = __VERIFIER_nondet_int(); b = __VERIFIER_nondet_int(); f(); __VERIFIER_assert(b >= a); }"),
            ],
        },
        History {
            name: "variables in memory that exchange names",
            versions: &[
                ("safe", "void set(int *p, int v) { *p = v; } int main(void) { int a = 1, b = 2, n = __VERIFIER_nondet_int();
                    do { set(&a, 5); set(&b, 2); n--; } while (n > 0); __VERIFIER_assert(a == 5 && b == 2); }"),
                ("unsafe", "void set(int *p, int v) { *p = v; } int main(void) { int b = 1, a = 2, n = __VERIFIER_nondet_int();
                    do { set(&b, 5); set(&a, 2); n--; } while (n > 0); __VERIFIER_assert(a == 5 || b == 2); }"),
            ],
        },
        History {
            name: "a predicate and its negation",
            versions: &[
                ("safe", "short g; void low(void) { int q = g - 4; if (q > 0) g = g - q; } int main(void) { g = __VERIFIER_nondet_int(); low(); __VERIFIER_assert(g <= 4); }"),
                ("safe", "short g; void high(void) { int q = 5 - g; if (q > 0) g = g + q; } int main(void) { g = __VERIFIER_nondet_int(); high(); __VERIFIER_assert(g >= 5); }"),
                ("unsafe", "short g; void low(void) { int q = g - 4; if (q > 0) g = g - q; } void high(void) { int q = 5 - g; if (q > 0) g = g + q; }
                    int main(void) { g = __VERIFIER_nondet_int(); low(); __VERIFIER_assert(g <= 4); high(); __VERIFIER_assert(g <= 4); }"),
                ("safe", "short g; void low(void) { int q = g - 4; if (q > 0) g = g - q; } void high(void) { int q = 5 - g; if (q > 0) g = g + q; }
                    int main(void) { g = __VERIFIER_nondet_int(); low(); __VERIFIER_assert(g <= 4); high(); __VERIFIER_assert(g > 4); }"),
            ],
        },
        History {
            name: "two loops that are the same",
            versions: &[
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0; while (i < n) i++; while (j < n) j++; __VERIFIER_assert(i >= n && j >= n); }"),
                ("unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0, m = n - (n == 9); while (i < n) i++; while (j < m) j++; __VERIFIER_assert(i >= n && j >= n); }"),
                ("safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 5; while (j < n) j++; while (i < n) i++; __VERIFIER_assert(j >= n && i >= n); }"),
            ],
        },
        History {
            name: "another type under the same name",
            versions: &[
                ("safe", "unsigned char g; int main(void) { int n = __VERIFIER_nondet_int(), x = 0; g = __VERIFIER_nondet_int(); while (x < n) x++; __VERIFIER_assert(g <= x + 255 || x > 1000000); }"),
                ("unsafe", "int g; int main(void) { int n = __VERIFIER_nondet_int(), x = 0; g = __VERIFIER_nondet_int(); while (x < n) x++; __VERIFIER_assert(g <= x + 255 || x > 1000000); }"),
            ],
        },
    ]);
}

#[test]
fn memory_and_calls() {
    check(&[
        History {
            name: "regions that grow together",
            versions: &[
                (
                    "safe",
                    "int a, b; void set(int *p) { *p = 1; } int f(int *p) { b = 5; *p = 1; return b; } int main(void) { a = 2; int r = f(&a); __VERIFIER_assert(r == 5); }",
                ),
                (
                    "unsafe",
                    "int a, b; void set(int *p) { *p = 1; } int f(int *p) { b = 5; *p = 1; return b; } int main(void) { a = 2; int r = f(__VERIFIER_nondet_int() ? &a : &b); __VERIFIER_assert(r == 5); }",
                ),
                (
                    "safe",
                    "int a, b; void set(int *p) { *p = 1; } int f(int *p) { b = 5; *p = 1; return b; } int main(void) { a = 2; int r = f(__VERIFIER_nondet_int() ? &a : &b); __VERIFIER_assert(r == 5 || r == 1); }",
                ),
            ],
        },
        History {
            name: "a pointer of a pair that now overlap",
            versions: &[
                (
                    "safe",
                    "int f(int *p, int *q) { *p = 1; *q = 2; return *p; } int main(void) { int x = 0, y = 0; __VERIFIER_assert(f(&x, &y) == 1); }",
                ),
                (
                    "unsafe",
                    "int f(int *p, int *q) { *p = 1; *q = 2; return *p; } int main(void) { int x = 0; __VERIFIER_assert(f(&x, &x) == 1); }",
                ),
            ],
        },
        History {
            name: "a function pointer that may lead elsewhere",
            versions: &[
                (
                    "safe",
                    "int one(void) { return 1; } int two(void) { return 2; } int (*f)(void) = one; int call(void) { return f(); } int main(void) { __VERIFIER_assert(call() == 1); }",
                ),
                (
                    "unsafe",
                    "int one(void) { return 1; } int two(void) { return 2; } int (*f)(void) = one; int call(void) { return f(); } int main(void) { if (__VERIFIER_nondet_int()) f = two; __VERIFIER_assert(call() == 1); }",
                ),
            ],
        },
        History {
            name: "a callee far below",
            versions: &[
                (
                    "safe",
                    "int c(int x) { return x > 0 ? 1 : 0; } int b(int x) { return c(x) + 1; } int a(int x) { return b(x) + 1; } int main(void) { __VERIFIER_assert(a(__VERIFIER_nondet_int()) <= 3); }",
                ),
                (
                    "unsafe",
                    "int c(int x) { return x > 0 ? 2 : 0; } int b(int x) { return c(x) + 1; } int a(int x) { return b(x) + 1; } int main(void) { __VERIFIER_assert(a(__VERIFIER_nondet_int()) <= 3); }",
                ),
                (
                    "safe",
                    "int c(int x) { return x > 0 ? 0 : 1; } int b(int x) { return c(x) + 1; } int a(int x) { return b(x) + 1; } int main(void) { __VERIFIER_assert(a(__VERIFIER_nondet_int()) <= 3); }",
                ),
            ],
        },
        History {
            name: "a function gets a body",
            versions: &[
                (
                    "unsafe",
                    "int g; int out(int x); int f(int x) { int r = out(x); return g + r - r; } int main(void) { int r = f(1); __VERIFIER_assert(r == 1); }",
                ),
                (
                    "safe",
                    "int g; int out(int x); int f(int x) { int r = out(x); return g + r - r; } int main(void) { int r = f(1); __VERIFIER_assert(r == 0); }",
                ),
                (
                    "unsafe",
                    "int g; int out(int x) { g = 1; return x; } int f(int x) { int r = out(x); return g + r - r; } int main(void) { int r = f(1); __VERIFIER_assert(r == 0); }",
                ),
            ],
        },
        History {
            name: "words of bits",
            versions: &[
                ("safe", "unsigned set(unsigned f, unsigned b) { return (f | b) & ~8u; } unsigned clear(unsigned f, unsigned b) { return f & ~b; }
                    int main(void) { unsigned f = 0; while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) f = set(f, 12u | (f ^ 1u)); else f = clear(f, 4u ^ (f & 2u)); } __VERIFIER_assert((f & 8u) == 0u); }"),
                ("unsafe", "unsigned set(unsigned f, unsigned b) { return (f | b) & ~8u; } unsigned clear(unsigned f, unsigned b) { return f ^ b; }
                    int main(void) { unsigned f = 0; while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) f = set(f, 12u | (f ^ 1u)); else f = clear(f, 12u ^ (f & 2u)); } __VERIFIER_assert((f & 8u) == 0u); }"),
                ("unsafe", "unsigned set(unsigned f, unsigned b) { return (f | b) & ~8u; } unsigned clear(unsigned f, unsigned b) { return f & ~b; }
                    int main(void) { unsigned f = 0; while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) f = set(f, 12u | (f ^ 1u)); else f = clear(f, 4u ^ (f & 2u)); } __VERIFIER_assert((f & 4u) == 0u); }"),
            ],
        },
        History {
            name: "a new context",
            versions: &[
                (
                    "safe",
                    "void f(int x) { __VERIFIER_assert(x != 7); } int main(void) { int n = __VERIFIER_nondet_int(); if (n > 7) f(n); if (n < 7) f(n); }",
                ),
                (
                    "unsafe",
                    "void f(int x) { __VERIFIER_assert(x != 7); } int main(void) { int n = __VERIFIER_nondet_int(); if (n > 7) f(n); if (n < 7) f(n); f(n / 2); }",
                ),
                (
                    "unsafe",
                    "void f(int x) { __VERIFIER_assert(x != 7); } int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 7) f(n); }",
                ),
            ],
        },
        History {
            name: "a loop that is left elsewhere",
            versions: &[
                (
                    "safe",
                    "int main(void) { int i = 0, r = 0; while (1) { if (i > 5) break; if (__VERIFIER_nondet_int()) { r = 1; goto out; } i++; } out: __VERIFIER_assert(r == 1 || i == 6); }",
                ),
                (
                    "unsafe",
                    "int main(void) { int i = 0, r = 0; while (1) { if (i > 5) { r = 1; break; } if (__VERIFIER_nondet_int()) goto out; i++; } out: __VERIFIER_assert(r == 1 || i == 6); }",
                ),
                (
                    "unsafe",
                    "int main(void) { int i = 0, r = 0; while (1) { if (i > 5) goto out; if (__VERIFIER_nondet_int()) { break; } i++; } r = 1; out: __VERIFIER_assert(r == 0 || i == 6); }",
                ),
            ],
        },
    ]);
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
