//! Small programs with known verdicts: control flow, calls, arithmetic, inputs.

use crate::support::{Ask, Judged, Kept, ask, compile, observe, with_stack};

/// A program, and what is true of it: "safe" or "unsafe", with "?" where the engine may say that it does not
/// know, "not safe" where a run can do something without meaning.
pub struct Golden {
    pub name: &'static str,
    pub expected: &'static str,
    pub text: &'static str,
}

pub const fn golden(name: &'static str, expected: &'static str, text: &'static str) -> Golden {
    Golden { name, expected, text }
}

/// Every program of the list, as it is, with an empty store, and with what the store then has.
pub fn check(list: &[Golden]) {
    with_stack(|| {
        let only = std::env::var("REPROVE_TEST_ONLY").unwrap_or_default();
        let chosen = list.iter().filter(|golden| golden.name.contains(&only));
        let wrong: Vec<String> = chosen.filter_map(complaint).collect();
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    });
}

fn complaint(golden: &Golden) -> Option<String> {
    let complain = |what: String| Some(format!("{}: {what}", golden.name));
    let program = match compile(golden.text) {
        Ok(program) => program,
        Err(what) => return complain(what),
    };
    // The tests themselves are checked too.
    let seen = observe(&program, 60);
    if golden.expected.starts_with("safe") && (seen.fails || seen.undefined) {
        return complain(format!("it is expected to be safe, but {seen:?}"));
    }
    let kept = Kept::new();
    let hard = golden.expected.ends_with('?');
    let plain = Ask::seconds(if hard { 1.0 } else { 20.0 });
    let stored = plain.clone().store(&kept.store);
    // Not the verdict, but what it was made of.
    let mut parts = stored.clone();
    parts.settings.reuse.verdicts = false;
    let rounds = [
        ("as it is", plain),
        ("with a store", stored.clone()),
        ("again with the store", parts),
        ("again with all that the store has", stored),
    ];
    for (how, question) in rounds {
        let asked = ask(&program, &question);
        let fits = match (&asked.judged, golden.expected) {
            (Judged::Safe, expected) => expected.starts_with("safe"),
            (Judged::Unsafe, expected) => expected.starts_with("unsafe"),
            (Judged::Unknown(_) | Judged::OutOfTime, expected) => {
                expected.ends_with('?') || expected == "not safe"
            }
            // Whoever asked runs it, and does not know then.
            (Judged::NotReplayed(_), expected) => expected.ends_with('?'),
            (Judged::Refused(_), _) => false,
        };
        if !fits {
            return complain(format!("{how}: {:?}, expected {}", asked.judged, golden.expected));
        }
        if asked.judged == Judged::OutOfTime && hard {
            return None;
        }
    }
    None
}

#[test]
fn loops() {
    check(LOOPS);
}

pub const LOOPS: &[Golden] = &[
    golden(
        "bounds that only all paths together show",
        "safe",
        "int main(void) { int length = __VERIFIER_nondet_int(), given = __VERIFIER_nondet_int(); int in = 0, out = 0, limit = length - 2;
            __VERIFIER_assume(given > 0 && given < 100000 && length < 100000 && length > given + 2);
            while (__VERIFIER_nondet_int()) { if (out == limit) break; __VERIFIER_assert(0 <= out && out < length); out++;
                if (in == given) break; in++; __VERIFIER_assert(0 <= in && in <= given); }
            __VERIFIER_assert(out < length); return 0; }",
    ),
    golden("a sum", "safe", "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0;
            __VERIFIER_assume(n < 1000); for (unsigned i = 0; i < n; i++) s += 2; __VERIFIER_assert(s == 2 * n); }"),
    golden("a sum, wrong", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), s = 0;
            __VERIFIER_assume(n < 10); for (int i = 0; i < n; i++) s += 2; __VERIFIER_assert(s < 6); }"),
    golden("fails in the fifth iteration", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int();
            for (int i = 0; i < n; i++) __VERIFIER_assert(i != 5); }"),
    golden("counting up to an input", "safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0;
            __VERIFIER_assume(n >= 0); while (i < n) i++; __VERIFIER_assert(i == n); }"),
    golden("counting up to an input that may be negative", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0;
            while (i < n) i++; __VERIFIER_assert(i == n); }"),
    golden("nested", "safe", "int main(void) { int c = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) c++;
            __VERIFIER_assert(c <= 12); }"),
    golden("nested, unbounded", "safe", "int main(void) { int n = __VERIFIER_nondet_int(), x = 1;
            for (int i = 0; i < n; i++) { int j = i; while (j > 0) { j--; x = 1; } __VERIFIER_assert(j <= 0 || i < 0); } __VERIFIER_assert(x == 1); }"),
    golden("nested, the inner loop spoils it", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), x = 1;
            for (int i = 0; i < n; i++) { int j = i; while (j > 1) { j--; x = 2; } } __VERIFIER_assert(x == 1); }"),
    golden("left from the inner loop", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i, j;
            for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) if (i * 3 + j == n) goto out;
            out: __VERIFIER_assert(!(i == 2 && j == 1)); }"),
    golden("left from the inner loop, right", "safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0;
            while (i < n) { i++; j = 0; while (j < n) { j++; if (__VERIFIER_nondet_int()) goto out; } } i = j = 1;
            out: __VERIFIER_assert(i >= 1 && j >= 1); }"),
    golden("several exits", "safe", "int main(void) { int i = 0, how = 0; while (1) { if (i >= 10) { how = 1; break; }
            if (__VERIFIER_nondet_int()) { how = 2; break; } i++; } __VERIFIER_assert(how == 2 || i == 10); }"),
    golden("several exits, wrong", "unsafe", "int main(void) { int i = 0, how = 0; while (1) { if (i >= 3) { how = 1; break; }
            if (__VERIFIER_nondet_int()) { how = 2; break; } i++; } __VERIFIER_assert(how == 1 || i < 2); }"),
    golden("continue", "safe", "int main(void) { int i = 0, odd = 0; while (i < 100) { i++; if (i & 1) continue; odd = i & 1; }
            __VERIFIER_assert(odd == 0); }"),
    golden("do while", "safe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; do { i++; } while (i < n); __VERIFIER_assert(i >= 1); }"),
    golden("do while, wrong", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; do { i++; } while (i < n); __VERIFIER_assert(i > 1); }"),
    golden("a loop of gotos", "safe", "int main(void) { int i = 0; again: if (i >= 7) goto done; i++; goto again;
            done: __VERIFIER_assert(i == 7); }"),
    golden("two entries", "safe", "int main(void) { int i = 0; if (__VERIFIER_nondet_int()) goto middle;
            top: i++; middle: i++; if (i < 5) goto top; __VERIFIER_assert(i == 5 || i == 6); }"),
    golden("two entries, wrong", "unsafe", "int main(void) { int i = 0; if (__VERIFIER_nondet_int()) goto middle;
            top: i++; middle: i++; if (i < 5) goto top; __VERIFIER_assert(i == 6); }"),
    golden("a switch into a loop", "safe?", "int main(void) { int n = __VERIFIER_nondet_int(), c = 0; __VERIFIER_assume(n > 0);
            switch (n & 3) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while ((n -= 4) > 0); } __VERIFIER_assert(c >= 1); }"),
    golden("a switch into a loop, wrong", "unsafe?", "int main(void) { int n = __VERIFIER_nondet_int(), c = 0; __VERIFIER_assume(n > 0);
            switch (n & 3) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while ((n -= 4) > 0); } __VERIFIER_assert(c != 6); }"),
    golden("a loop in a loop with two entries", "unsafe", "int main(void) { int i = 0, k = 0; if (__VERIFIER_nondet_int()) goto middle;
            top: i++; middle: for (int j = 0; j < 2; j++) k++; if (i < 3) goto top; __VERIFIER_assert(k != 8); }"),
    golden("an endless loop before the check", "safe", "int main(void) { int x = 0; while (1) x = 1 - x; __VERIFIER_assert(0); }"),
    golden("an endless loop around the check", "unsafe", "int main(void) { int s = 0; while (1) { int x = __VERIFIER_nondet_int();
            if (s < 4 && x == s) s++; else s = 0; __VERIFIER_assert(s != 4); } }"),
    golden("an endless loop around the check, right", "safe", "int main(void) { int s = 0; while (1) { int x = __VERIFIER_nondet_int();
            if (s < 4 && x == s) s++; else s = 0; __VERIFIER_assert(s != 5); } }"),
    golden("what the body changes is used later", "unsafe", "int main(void) { int a = 1, b = 2, n = __VERIFIER_nondet_int();
            while (n > 0) { int t = a; a = b; b = t; n--; } __VERIFIER_assert(a == 1); }"),
    golden("what the body changes is used later, right", "safe", "int main(void) { int a = 1, b = 2, n = __VERIFIER_nondet_int();
            while (n > 0) { int t = a; a = b; b = t; n--; } __VERIFIER_assert(a + b == 3); }"),
    golden("what enters late", "unsafe", "int main(void) { int f = 0, t = 0, p = 0, q = 0, r = 0;
            while (f == 0) { r = q; q = p; p = t; t = 1; f = __VERIFIER_nondet_int() & 1; } __VERIFIER_assert(r == 0); }"),
    golden("a variable of the body, without a value", "unsafe", "int main(void) { int bad = 0; for (int i = 0; i < 3; i++) { int x; if (i == 0) x = 1;
            else if (x != 1) bad = 1; } __VERIFIER_assert(!bad); }"),
    golden("a loop after a loop", "safe?", "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0; __VERIFIER_assume(n > 0 && n < 100);
            while (i < n) i++; while (j < i) j++; __VERIFIER_assert(j == n); }"),
    golden("down to zero", "safe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); while (x > 0) x--; __VERIFIER_assert(x == 0); }"),
];

#[test]
fn calls() {
    check(CALLS);
}

pub const CALLS: &[Golden] = &[
    golden("calls in a loop", "safe", "int inc(int x) { return x + 1; } int main(void) { int i = 0; while (i < 10) i = inc(i);
            __VERIFIER_assert(i == 10); }"),
    golden("calls in a loop, wrong", "unsafe", "int inc(int x) { return x == 3 ? 5 : x + 1; } int main(void) { int i = 0; while (i < 6) { __VERIFIER_assert(i != 5); i = inc(i); } }"),
    golden("several contexts", "safe", "int add(int x, int y) { return x + y; } int main(void) { int a = add(1, 2), b = add(a, 10), c = add(b, a);
            __VERIFIER_assert(a == 3 && b == 13 && c == 16); }"),
    golden("several contexts, wrong", "unsafe", "int pick(int x, int y) { return x > 0 ? x : y; } int main(void) { int z = __VERIFIER_nondet_int();
            __VERIFIER_assume(z <= 0); int a = pick(z, 1), b = pick(1, z); __VERIFIER_assert(a + b != 2); }"),
    golden("arguments exchanged", "unsafe", "void f(int x, int y) { __VERIFIER_assert(!(x > 0 && y <= 0)); } int main(void) { int z = __VERIFIER_nondet_int();
            __VERIFIER_assume(z <= 0); f(z, 1); f(1, z); }"),
    golden("arguments exchanged, right", "safe", "void f(int x, int y) { __VERIFIER_assert(x > 0 || y > 0); } int main(void) { int z = __VERIFIER_nondet_int();
            __VERIFIER_assume(z <= 0); f(z, 1); f(1, z); }"),
    golden("recursion", "safe?", "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main(void) { int n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n < 1000); __VERIFIER_assert(f(n) == n); }"),
    golden("recursion, at least", "safe", "int f(int n) { if (n <= 0) return 0; int r = f(n - 1); return r > 50 ? r : r + 1; } int main(void) {
            __VERIFIER_assert(f(__VERIFIER_nondet_int()) >= 0); }"),
    golden("recursion, wrong", "unsafe", "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 2; } int main(void) { int n = __VERIFIER_nondet_int();
            __VERIFIER_assert(f(n) != 6); }"),
    golden("recursion with a check inside", "unsafe", "void f(int n) { __VERIFIER_assert(n != 4); if (n < 10) f(n + 1); } int main(void) { f(0); }"),
    golden("recursion without an end", "safe", "int f(int n) { return f(n) + 1; } int main(void) { f(0); __VERIFIER_assert(0); }"),
    golden("mutual recursion", "safe", "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
            int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0); int r = even(n); __VERIFIER_assert(r == 0 || r == 1); }"),
    golden("mutual recursion, wrong", "unsafe", "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
            int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 4); __VERIFIER_assert(even(n) == 1 || n != 3); }"),
    golden("recursion that changes a global", "unsafe", "int g; void f(int n) { if (n > 0) { g++; f(n - 1); g++; } } int main(void) { f(__VERIFIER_nondet_int());
            __VERIFIER_assert(g != 4); }"),
    golden("recursion that restores a global", "safe", "int g; void f(int n) { if (n > 0) { g++; f(n - 1); g--; } } int main(void) { f(__VERIFIER_nondet_int());
            __VERIFIER_assert(g == 0); }"),
    golden("a loop in a recursive function", "safe?", "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s = f(i) >= 0 ? s : -1; return s; } int main(void) {
            __VERIFIER_assert(f(__VERIFIER_nondet_int()) >= 0); }"),
    golden("globals", "safe", "int g = 1; void h(void) { g = g * 3; } void f(void) { h(); h(); }
            int main(void) { f(); __VERIFIER_assert(g == 9); f(); __VERIFIER_assert(g == 81); }"),
    golden("a global changed on one path", "unsafe", "int g; void f(int x) { if (x > 10) g = x; }
            int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(g <= 10 || g > 11); }"),
    golden("the result is kept in a global that the callee reads", "unsafe", "int k = 2; int f(void) { for (int i = 0; i < k; i++) ; return 0; } int main(void) { k = f(); __VERIFIER_assert(k == 2); }"),
    golden("the result is kept in a global that the callee changes", "unsafe", "int k = 2; int f(int x) { k = x + 1; return k - 1; } int main(void) { int x = __VERIFIER_nondet_int(); k = f(x); __VERIFIER_assert(k == x + 1); }"),
    golden("the result is kept in a global that the callee changes, right", "safe", "int k = 2; int f(int x) { k = x + 1; return k - 1; } int main(void) { int x = __VERIFIER_nondet_int(); k = f(x); __VERIFIER_assert(k == x); }"),
    golden("a lock", "safe", "int held; void take(void) { __VERIFIER_assert(!held); held = 1; } void give(void) { __VERIFIER_assert(held); held = 0; }
            int main(void) { int old, new; do { take(); old = new = __VERIFIER_nondet_int(); if (__VERIFIER_nondet_int()) { give(); new++; } } while (new != old); give(); }"),
    golden("a lock, wrong", "unsafe", "int held; void take(void) { __VERIFIER_assert(!held); held = 1; } void give(void) { __VERIFIER_assert(held); held = 0; }
            int main(void) { int old, new; do { take(); old = new = __VERIFIER_nondet_int(); if (__VERIFIER_nondet_int()) { give(); } } while (new != old); give(); }"),
    golden("a local and a global of one name", "unsafe", "int x = 1; int get(void) { return x; } int f(int x) { x = 7; return get(); }
            int main(void) { x = __VERIFIER_nondet_int(); __VERIFIER_assert(f(5) != 7 || x != 7); }"),
    golden("a static local", "safe", "int next(void) { static int n = 5; return n++; } int main(void) { next(); next(); __VERIFIER_assert(next() == 7); }"),
    golden("a static local and another of its name", "unsafe", "int f(int x) { int s = x; { static int x = 0; x += 2; s += x; } return s; }
            int main(void) { f(1); __VERIFIER_assert(f(0) != 4); }"),
    golden("two of one name", "safe", "int main(void) { int x = 1; { int x = 2; while (x < 5) x++; __VERIFIER_assert(x == 5); } __VERIFIER_assert(x == 1); }"),
    golden("two of one name, wrong", "unsafe", "int main(void) { int x = 1; { int x = 2; while (x < 5) x++; } __VERIFIER_assert(x == 5); }"),
    golden("a local called like the result", "safe", "int f(int result) { int old = result; result++; return old; } int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(f(x) == x); }"),
    golden("a static local in a loop", "safe", "void step(void) { static int n; __VERIFIER_assert(n >= 0 && n < 5); n = n == 4 ? 0 : n + 1; }
            int main(void) { while (__VERIFIER_nondet_int()) step(); }"),
    golden("function pointers", "safe", "int inc(int x) { return x + 1; } int twice(int x) { return 2 * x; }
            int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? inc : twice; __VERIFIER_assert(f(1) == 2); }"),
    golden("function pointers, wrong", "unsafe", "int inc(int x) { return x + 1; } int twice(int x) { return 2 * x; }
            int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? inc : twice; __VERIFIER_assert(f(2) == 3); }"),
    golden("a table of functions", "unsafe?", "int a(int x) { return x + 1; } int b(int x) { return x + 2; } int (*const table[])(int) = { a, b };
            int main(void) { unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 2); __VERIFIER_assert(table[i](10) != 12); }"),
    golden("exit in a callee", "safe", "void die(int x) { if (x) exit(1); } int main(void) { int x = __VERIFIER_nondet_int(); die(x == 3); __VERIFIER_assert(x != 3); }"),
    golden("abort on the wrong side", "unsafe", "void die(int x) { if (x) abort(); } int main(void) { int x = __VERIFIER_nondet_int(); die(x != 3); __VERIFIER_assert(x != 3); }"),
    golden("a function that never returns", "safe", "void hang(void) { for (;;) ; } int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) hang(); __VERIFIER_assert(x <= 3); }"),
    golden("a function that never returns, sometimes", "unsafe", "void hang(int x) { while (x) ; } int main(void) { int x = __VERIFIER_nondet_int(); hang(x); __VERIFIER_assert(x != 0); }"),
    golden("an early return from a loop", "safe", "int find(int n) { for (int i = 0; i < 10; i++) if (i == n) return i; return -1; }
            int main(void) { int n = __VERIFIER_nondet_int(), r = find(n); __VERIFIER_assert(r == -1 || r == n); }"),
    golden("an early return from a loop, wrong", "unsafe", "int find(int n) { for (int i = 0; i < 5; i++) if (i == n) return i; return -1; }
            int main(void) { int n = __VERIFIER_nondet_int(), r = find(n); __VERIFIER_assert(r != 3); }"),
    golden("an assumption in a callee", "safe", "int small(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0 && x < 10); return x; }
            int main(void) { __VERIFIER_assert(small() + small() < 19); }"),
    golden("an assumption after the check", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x); __VERIFIER_assume(x); }"),
    golden("an assumption that nothing satisfies", "safe", "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5 && x < 5); __VERIFIER_assert(0); }"),
    golden("a function without a body", "unsafe", "extern int outside(int); int main(void) { __VERIFIER_assert(outside(1) == outside(1)); }"),
    golden("a function without a body changes nothing", "safe", "extern void outside(void); int g = 4; int main(void) { outside(); __VERIFIER_assert(g == 4); }"),
    golden("main with parameters", "unsafe", "int main(int argc, char **argv) { __VERIFIER_assert(argc < 1000); }"),
    golden("the old value of a parameter", "safe?", "int f(int p) { int r = p; p = 100; while (p > 0) p--; return r; } int main(void) { int n = __VERIFIER_nondet_int();
            __VERIFIER_assert(f(n) == n); }"),
    golden("a parameter that changes", "unsafe", "int f(int p) { p = p < 5 ? p : p + 1; int i = 0; while (i < p) i++; return i; } int main(void) { int n = __VERIFIER_nondet_int();
            __VERIFIER_assume(n >= 0 && n < 8); __VERIFIER_assert(f(n) <= n); }"),
    golden("a state machine", "safe", "int s; void event(int e) { switch (s) { case 0: if (e == 1) s = 1; break; case 1: if (e == 2) s = 2; else s = 0; break;
            case 2: s = 0; break; default: __VERIFIER_assert(0); } } int main(void) { while (1) event(__VERIFIER_nondet_int()); }"),
    golden("a state machine, wrong", "unsafe", "int s; void event(int e) { switch (s) { case 0: if (e == 1) s = 1; break; case 1: if (e == 2) s = 2; else s = 0; break;
            case 2: s = e == 7 ? 3 : 0; break; default: __VERIFIER_assert(0); } } int main(void) { while (1) event(__VERIFIER_nondet_int()); }"),
];

#[test]
fn arithmetic() {
    check(ARITHMETIC);
}

pub const ARITHMETIC: &[Golden] = &[
    golden("unsigned wraps", "unsafe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assert(x + 1 > x); }"),
    golden("unsigned does not wrap", "safe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x < 4000000000u); __VERIFIER_assert(x + 1 > x); }"),
    golden("unsigned wraps in a loop", "safe", "int main(void) { unsigned char x = __VERIFIER_nondet_uchar(); while (x != 0) x++; __VERIFIER_assert(x == 0); }"),
    golden("unsigned wraps in a loop, far", "unsafe", "int main(void) { unsigned char x = 250; int n = 0; while (x >= 5) { x++; n++; } __VERIFIER_assert(n != 6); }"),
    golden("signed wraps", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert((int)((unsigned)x + 1u) > x); }"),
    golden("narrowing", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); signed char c = x; __VERIFIER_assert(c == x || x > 200 || x < -128); }"),
    golden("narrowing, right", "safe", "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= -128 && x < 128); signed char c = x; __VERIFIER_assert(c == x); }"),
    golden("widening", "safe", "int main(void) { signed char c = __VERIFIER_nondet_char(); long l = c; unsigned long u = c; __VERIFIER_assert((l < 0) == (u > 1000)); }"),
    golden("signed and unsigned compared", "safe", "int main(void) { int x = -1; unsigned y = 1; __VERIFIER_assert(x > y); }"),
    golden("promotion", "safe", "int main(void) { unsigned char a = 255, b = __VERIFIER_nondet_uchar(); __VERIFIER_assert(a + b >= 255); a += b; __VERIFIER_assert(a == (unsigned char)(b - 1)); }"),
    golden("bits", "safe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assert((x & 12u) <= 12u && (x ^ x) == 0u && ((x | 1u) & 1u) == 1u); }"),
    golden("bits of a flag word", "safe", "int main(void) { unsigned f = 0; while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) f |= 4u; else f &= ~4u; f ^= 1u; }
            __VERIFIER_assert((f & ~5u) == 0u); }"),
    golden("bits of a flag word, wrong", "unsafe", "int main(void) { unsigned f = 0; while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) f |= 4u; else f &= ~4u; f ^= 1u; }
            __VERIFIER_assert(f != 5u); }"),
    golden("shifts", "safe", "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x < 0); __VERIFIER_assert(x >> 1 < 0 && (unsigned)x >> 31 == 1); }"),
    golden("division", "safe", "int main(void) { int x = __VERIFIER_nondet_char(); __VERIFIER_assert(x / 7 * 7 + x % 7 == x); __VERIFIER_assert(-7 / 2 == -3 && -7 % 2 == -1); }"),
    golden("division by zero ends an execution", "safe", "int main(void) { int x = __VERIFIER_nondet_int(); int y = 10 / x; __VERIFIER_assert(y <= 10); }"),
    golden("remainder by zero in a callee", "safe", "int f(int x) { return 7 % x; } int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(f(x) < 7 || x > 7 || x < -7); }"),
    golden("no division by zero", "safe", "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0) { int y = 10 / x; __VERIFIER_assert(y <= 10 && y >= 0); } }"),
    golden("a variable without a value", "unsafe", "int main(void) { int x; __VERIFIER_assert(x != 3); }"),
    golden("a variable without a value, in bounds", "safe", "int main(void) { unsigned char x; __VERIFIER_assert(x < 256); }"),
    golden("long", "safe", "int main(void) { long x = __VERIFIER_nondet_int(); x = x * 1000; __VERIFIER_assert(x <= 2147483647000L && x >= -2147483648000L); }"),
    golden("bool", "safe", "int main(void) { _Bool b = __VERIFIER_nondet_int(); b = b + b; __VERIFIER_assert(b == 0 || b == 1); }"),
    golden("a float", "safe?", "int main(void) { float f = __VERIFIER_nondet_float(); if (f > 1.0f && f < 2.0f) __VERIFIER_assert(f + f > 2.0f); }"),
    golden("a float, wrong", "unsafe", "int main(void) { float f = __VERIFIER_nondet_float(); __VERIFIER_assert(f == f); }"),
    golden("a double in a loop", "safe?", "int main(void) { double d = 1.0; while (__VERIFIER_nondet_int()) d = d > 4.0 ? 1.0 : d + 1.0; __VERIFIER_assert(d >= 1.0 && d <= 5.0); }"),
    golden("short circuit", "safe", "int g; int bump(void) { g++; return 1; } int main(void) { int x = __VERIFIER_nondet_int(); int y = x && bump(); __VERIFIER_assert(g == (x != 0) && y == (x != 0)); }"),
    golden("a product", "unsafe?", "int main(void) { int x = __VERIFIER_nondet_char(), y = __VERIFIER_nondet_char(); __VERIFIER_assert(x * y != 77); }"),
];
