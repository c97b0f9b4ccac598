//! Two versions of small programs, chosen for what could go wrong when one is verified with what the other
//! left: the answer about each is the one from scratch.

use crate::support::{Ask, ask, audit_fault, compile, with_stack, word};
use ir::Target;
use store::Store;

/// What is wrong, the verdicts that are due, and the versions.
struct Pair {
    name: &'static str,
    expected: [&'static str; 2],
    old: &'static str,
    new: &'static str,
}

const fn pair(name: &'static str, expected: [&'static str; 2], old: &'static str, new: &'static str) -> Pair {
    Pair { name, expected, old, new }
}

/// There and back again, for a bound that is given and one that is found.
fn check(list: &[Pair]) {
    with_stack(|| {
        let wrong: Vec<String> = list
            .iter()
            .flat_map(|pair| [Ask::bound(4), Ask::up_to(4)].map(|how| complaint(pair, &how)))
            .flatten()
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

fn complaint(pair: &Pair, how: &Ask) -> Option<String> {
    let complain = |what: String| Some(format!("{} ({:?}): {what}", pair.name, how.settings.bmc.unwind));
    let folder = tempfile::tempdir().ok()?;
    let store = Store::open(folder.path(), store::Options::default()).ok()?;
    let both = [(pair.old, pair.expected[0]), (pair.new, pair.expected[1])];
    for (i, (text, expected)) in both.iter().chain(both.iter().take(1)).enumerate() {
        let program = match compile(text, Target::LP64, &[]) {
            Ok(program) => program,
            Err(what) => return complain(what),
        };
        let scratch = ask(&program, how);
        let upgraded = ask(&program, &how.clone().store(&store).audited());
        if word(&scratch) != *expected || word(&upgraded) != *expected {
            let why: Vec<String> = upgraded
                .decisions
                .iter()
                .map(|d| format!("\n  {} {}: {}", d.outcome, d.about, d.reason))
                .collect();
            return complain(format!(
                "step {i}: {} from scratch, {} upgraded, expected {expected}{}",
                word(&scratch),
                word(&upgraded),
                why.concat()
            ));
        }
        if let Some(fault) = audit_fault(&upgraded) {
            return complain(fault);
        }
    }
    None
}

#[test]
fn interfaces() {
    check(&[
        pair("a result of another type", ["safe", "unsafe"],
            "short f(int x) { return x; } int main(void) { int x = __VERIFIER_nondet_int() & 255; __VERIFIER_assert(f(x) >= 0); }",
            "signed char f(int x) { return x; } int main(void) { int x = __VERIFIER_nondet_int() & 255; __VERIFIER_assert(f(x) >= 0); }"),
        pair("a global of another type, only written", ["safe", "unsafe"],
            "int g; void f(int x) { g = x; } int main(void) { int x = __VERIFIER_nondet_int() & 255; f(x); __VERIFIER_assert(g == x); }",
            "signed char g; void f(int x) { g = x; } int main(void) { int x = __VERIFIER_nondet_int() & 255; f(x); __VERIFIER_assert(g == x); }"),
        pair("parameters exchanged", ["safe", "unsafe"],
            "int f(int x, int y) { return x - y; } int main(void) { int x = __VERIFIER_nondet_int() & 7; __VERIFIER_assert(f(x + 1, x) == 1); }",
            "int f(int y, int x) { return x - y; } int main(void) { int x = __VERIFIER_nondet_int() & 7; __VERIFIER_assert(f(x + 1, x) == 1); }"),
        pair("one more thing changed", ["safe", "unsafe"],
            "int g, h; void f(int x) { g = x; } int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(h == 0); }",
            "int g, h; void f(int x) { g = x; if (x == 77) h = x; } int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(h == 0); }"),
        pair("one more thing read", ["safe", "unsafe"],
            "int g; int f(int x) { return x & 1; } int main(void) { g = __VERIFIER_nondet_int(); __VERIFIER_assert(f(g) < 2); }",
            "int g; int f(int x) { return (x & 1) + (g == 9); } int main(void) { g = __VERIFIER_nondet_int(); __VERIFIER_assert(f(g) < 2); }"),
        pair("another object for a pointer", ["safe", "unsafe"],
            "int f(int *p, int *q) { *p = 1; *q = 2; return *p; } int main(void) { int a, b; __VERIFIER_assert(f(&a, &b) == 1); }",
            "int f(int *p, int *q) { *p = 1; *q = 2; return *p; } int main(void) { int a, b; __VERIFIER_assert(f(&a, &a) == 1); b = a; }"),
        pair("another constant", ["safe", "unsafe"],
            "int f(int x) { return x + 1; } int main(void) { __VERIFIER_assert(f(3) == 4); }",
            "int f(int x) { return x + 1; } int main(void) { __VERIFIER_assert(f(4) == 4); }"),
        pair("locals that exchange their sizes", ["safe", "unsafe"],
            "void f(int *p, int i) { p[i] = 1; } int main(void) { int a[8] = { 0 }, b[2] = { 0 }; int i = __VERIFIER_nondet_int() & 1; f(b, i);
             __VERIFIER_assert(b[0] + b[1] == 1 && a[i] == 0); }",
            "void f(int *p, int i) { p[i] = 1; } int main(void) { int b[8] = { 0 }, a[2] = { 0 }; int i = __VERIFIER_nondet_int() & 1; f(b, i + 1);
             __VERIFIER_assert(b[0] + b[1] == 1 && a[i] == 0); }"),
        pair("an allocation before another", ["safe", "unsafe"],
            "int *make(int v) { int *p = malloc(4); *p = v; return p; } int main(void) { int *p = make(1); __VERIFIER_assert(*p == 1); }",
            "int *make(int v) { int *p = malloc(4), *q = malloc(4); *p = v; *q = v + 1; return __VERIFIER_nondet_int() ? p : q; }
             int main(void) { int *p = make(1); __VERIFIER_assert(*p == 1); }"),
        pair("an initial value", ["safe", "unsafe"],
            "int limit = 10; int f(int x) { return x > limit ? limit : x; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) <= 10); }",
            "int limit = 11; int f(int x) { return x > limit ? limit : x; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) <= 10); }"),
        pair("a literal", ["safe", "unsafe"],
            "const char *name(void) { return \"abc\"; } int main(void) { __VERIFIER_assert(name()[1] == 'b'); }",
            "const char *name(void) { return \"acc\"; } int main(void) { __VERIFIER_assert(name()[1] == 'b'); }"),
        pair("a member moves", ["safe", "safe"],
            "struct s { int a, b; }; int get(struct s *p) { return p->b; } int main(void) { struct s x = { 1, 2 }; __VERIFIER_assert(get(&x) == 2); }",
            "struct s { int b, c, a; }; int get(struct s *p) { return p->b; } int main(void) { struct s x = { 2, 3, 1 }; __VERIFIER_assert(get(&x) == 2); }"),
        pair("a table of functions", ["safe", "unsafe"],
            "int a(int x) { return x & 3; } int b(int x) { return x & 1; } int (*t[2])(int) = { a, b };
             int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(t[1](x) < 2); }",
            "int a(int x) { return x & 3; } int b(int x) { return x & 1; } int (*t[2])(int) = { b, a };
             int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(t[1](x) < 2); }"),
        pair("a table of literals", ["safe", "unsafe"],
            "const char *names[2] = { \"ab\", \"cd\" }; char f(int i) { return names[i & 1][0]; } int main(void) { __VERIFIER_assert(f(1) == 'c'); }",
            "const char *names[2] = { \"cd\", \"ab\" }; char f(int i) { return names[i & 1][0]; } int main(void) { __VERIFIER_assert(f(1) == 'c'); }"),
        pair("a pointer that leads elsewhere", ["safe", "unsafe"],
            "int a, b, *p = &a; void f(int x) { *p = x; } int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(b == 0); a = *p; }",
            "int a, b, *p = &b; void f(int x) { *p = x; } int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(b == 0); a = *p; }"),
        pair("an array that shrinks", ["safe", "safe"],
            "int t[4]; void set(int i) { t[i & 3] = 1; } int main(void) { set(__VERIFIER_nondet_int()); __VERIFIER_assert(t[0] <= 1); }",
            "int t[2]; void set(int i) { t[i & 3] = 1; } int main(void) { set(__VERIFIER_nondet_int()); __VERIFIER_assert(t[0] <= 1); }"),
        pair("an array that grows", ["unsafe", "safe"],
            "int t[4], u = 4; int get(int i) { return i < u ? t[i & 3] : 7; } int main(void) { __VERIFIER_assert(get(5) != 7); }",
            "int t[8], u = 8; int get(int i) { return i < u ? t[i & 7] : 7; } int main(void) { __VERIFIER_assert(get(5) != 7); }"),
        pair("a parameter that becomes a constant", ["safe", "unsafe"],
            "int f(int x, int y) { return x > y ? x : y; } int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(f(x, x) == x); }",
            "int f(int x, int y) { return x > y ? x : y; } int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(f(x, 5) == x); }"),
    ]);
}

#[test]
fn ways_to_end() {
    check(&[
        pair(
            "a loop that runs longer than the bound",
            ["safe", "unknown: safe up to 4"],
            "int f(int n) { int s = 0; for (int i = 0; i < (n & 3); i++) s++; return s; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) != 8); }",
            "int f(int n) { int s = 0; for (int i = 0; i < (n & 15); i++) s++; return s; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) != 8); }",
        ),
        pair(
            "recursion that is deeper than the bound",
            ["safe", "unknown: safe up to 4"],
            "int f(int n) { return n > 0 ? 1 + f(n - 1) : 0; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int() & 3) != 8); }",
            "int f(int n) { return n > 0 ? 1 + f(n - 1) : 0; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int() & 15) != 8); }",
        ),
        pair(
            "an exit that goes away",
            ["safe", "unsafe"],
            "void f(int x) { if (x > 9) exit(1); } int main(void) { int x = __VERIFIER_nondet_int(); f(x); __VERIFIER_assert(x < 10); }",
            "void f(int x) { if (x > 10) exit(1); } int main(void) { int x = __VERIFIER_nondet_int(); f(x); __VERIFIER_assert(x < 10); }",
        ),
        pair(
            "an assumption that goes away",
            ["safe", "unsafe"],
            "int f(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x < 9); return x; } int main(void) { __VERIFIER_assert(f() < 10); }",
            "int f(void) { int x = __VERIFIER_nondet_int(); return x; } int main(void) { __VERIFIER_assert(f() < 10); }",
        ),
        pair(
            "a check inside",
            ["safe", "unsafe"],
            "void f(int x) { __VERIFIER_assert(x < 10); } int main(void) { int x = __VERIFIER_nondet_int(); if (x < 10) f(x); }",
            "void f(int x) { __VERIFIER_assert(x < 9); } int main(void) { int x = __VERIFIER_nondet_int(); if (x < 10) f(x); }",
        ),
        pair(
            "another caller of a checking function",
            ["safe", "unsafe"],
            "void f(int x) { __VERIFIER_assert(x < 10); } void g(int x) { if (x < 10) f(x); } int main(void) { g(__VERIFIER_nondet_int()); }",
            "void f(int x) { __VERIFIER_assert(x < 10); } void g(int x) { if (x < 11) f(x); } int main(void) { g(__VERIFIER_nondet_int()); }",
        ),
        pair(
            "undefined behaviour",
            ["safe", "safe"],
            "int x = 1; int f(int c) { int *p = &x; return *p; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 1); }",
            "int x = 1; int f(int c) { int *p = c == 7 ? 0 : &x; return *p; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 1); }",
        ),
        pair(
            "a function without a body",
            ["safe", "safe"],
            "int f(int c) { return c & 1; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) < 2); }",
            "extern int other(int); int f(int c) { return other(c) & 1; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) < 2); }",
        ),
        pair(
            "a function that loses its body",
            ["safe", "unsafe"],
            "int f(int c) { return c & 1; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) < 2); }",
            "extern int f(int c); int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) < 2); }",
        ),
        pair(
            "a call that goes away",
            ["safe", "unsafe"],
            "int g = 5; void reset(void) { g = 0; } void f(void) { reset(); } int main(void) { g = __VERIFIER_nondet_int(); f(); __VERIFIER_assert(g == 0); }",
            "int g = 5; void reset(void) { g = 0; } void f(void) { } int main(void) { g = __VERIFIER_nondet_int(); f(); __VERIFIER_assert(g == 0); }",
        ),
        pair(
            "freed once more",
            ["safe", "safe"],
            "void drop(int *p) { free(p); } int main(void) { int *p = malloc(4); *p = 3; int x = *p; drop(p); __VERIFIER_assert(x == 3); }",
            "void drop(int *p) { } int main(void) { int *p = malloc(4); *p = 3; int x = *p; drop(p); __VERIFIER_assert(x == 3); }",
        ),
    ]);
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
