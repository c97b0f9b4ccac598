//! Small programs with known verdicts: control flow, arithmetic, calls, inputs, bounds.

use crate::support::{Ask, ask, compile, decided, observe, with_stack, word};
use ir::{CheckKind, Target};

/// A program, and what the engine says about it. `expected` is "safe", "unsafe", or "unknown: " and a part of
/// the reason; the run is deepened up to 12 unless `bound` fixes how far loops are followed.
pub struct Golden {
    pub name: &'static str,
    pub expected: &'static str,
    pub text: &'static str,
    pub bound: Option<u32>,
    pub checks: &'static [CheckKind],
    pub target: Target,
}

pub const fn golden(name: &'static str, expected: &'static str, text: &'static str) -> Golden {
    Golden { name, expected, text, bound: None, checks: &[], target: Target::LP64 }
}

impl Golden {
    pub const fn bound(self, bound: u32) -> Golden {
        Golden { bound: Some(bound), ..self }
    }

    pub const fn checks(self, checks: &'static [CheckKind]) -> Golden {
        Golden { checks, ..self }
    }

    pub const fn ilp32(self) -> Golden {
        Golden { target: Target::ILP32, ..self }
    }
}

/// Every program of the list, as it is and (the same verdict is due) with a store, so that calls are cut off
/// from their callers.
pub fn check(list: &[Golden]) {
    with_stack(|| {
        let wrong: Vec<String> = list.iter().filter_map(complaint).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

fn complaint(golden: &Golden) -> Option<String> {
    let complain = |what: String| Some(format!("{}: {what}", golden.name));
    let program = match compile(golden.text, golden.target, golden.checks) {
        Ok(program) => program,
        Err(what) => return complain(what),
    };
    // The tests themselves are checked too.
    let seen = observe(&program, 100);
    if golden.expected == "safe" && (seen.fails || seen.undefined) {
        return complain(format!("it is expected to be safe, but {seen:?}"));
    }
    let plain = golden.bound.map_or(Ask::up_to(12), Ask::bound);
    let where_defined = golden.expected == "safe where defined";
    if where_defined && seen.fails {
        return complain(format!("it is expected to be safe where it is defined, but {seen:?}"));
    }
    let fits = |word: &str| match golden.expected.strip_prefix("unknown: ") {
        None if where_defined => word == "safe",
        Some(reason) => word.strip_prefix("unknown: ").is_some_and(|r| r.contains(reason)),
        None => word == golden.expected,
    };
    let answer = ask(&program, &plain);
    if !fits(&word(&answer)) {
        return complain(format!("{}, expected {}", word(&answer), golden.expected));
    }
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(e) => return complain(e.to_string()),
    };
    let store = match store::Store::open(folder.path(), store::Options::default()) {
        Ok(store) => store,
        Err(e) => return complain(e.to_string()),
    };
    let stored = plain.store(&store).audited();
    for round in ["with a store", "again with the store"] {
        let answer = ask(&program, &stored);
        if let Some(fault) = crate::support::audit_fault(&answer) {
            return complain(format!("{round}: {fault}"));
        }
        if !decided(&answer) || !fits(&word(&answer)) {
            return complain(format!("{round}: {}, expected {}", word(&answer), golden.expected));
        }
    }
    None
}

#[test]
fn loops() {
    check(&[
        golden("constant bound", "safe", "int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += i;
            __VERIFIER_assert(s == 4950); }"),
        golden("constant bound, wrong sum", "unsafe", "int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += i;
            __VERIFIER_assert(s != 4950); }"),
        golden("fixed bound too small", "unknown: safe up to 5", "int main(void) { int s = 0;
            for (int i = 0; i < 10; i++) s++; __VERIFIER_assert(s == 10); }").bound(5),
        golden("fixed bound just enough", "safe", "int main(void) { int s = 0;
            for (int i = 0; i < 10; i++) s++; __VERIFIER_assert(s == 10); }").bound(10),
        golden("unknown bound that is small", "safe", "int main(void) { int n = __VERIFIER_nondet_int(), s = 0;
            __VERIFIER_assume(n >= 0 && n <= 6); for (int i = 0; i < n; i++) s += 2; __VERIFIER_assert(s == 2 * n); }"),
        golden("unknown bound", "safe", "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0;
            for (unsigned i = 0; i < n; i++) s += 2; __VERIFIER_assert(s == 2 * n); }"),
        golden("unknown bound, a sum of two", "unknown: safe up to 12", "int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), s = 0, t = 0;
            for (unsigned i = 0; i < n; i++) if (__VERIFIER_nondet_int()) s++; else t++;
            __VERIFIER_assert(s + t == n); }"),
        golden("fails in the fifth iteration", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int();
            for (int i = 0; i < n; i++) __VERIFIER_assert(i != 5); }"),
        golden("fails beyond the bound", "unknown: safe up to 3", "int main(void) { int n = __VERIFIER_nondet_int();
            for (int i = 0; i < n; i++) __VERIFIER_assert(i != 5); }").bound(3),
        golden("bound of zero", "unknown: safe up to 0", "int main(void) { int n = __VERIFIER_nondet_int();
            for (int i = 0; i < n; i++) __VERIFIER_assert(i != 1); }").bound(0),
        golden("bound of zero, before the loop", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int();
            __VERIFIER_assert(n != 3); while (n) n--; }").bound(0),
        golden("nested", "safe", "int main(void) { int c = 0; for (int i = 0; i < 5; i++) for (int j = 0; j <= i; j++) c++;
            __VERIFIER_assert(c == 15); }"),
        golden("nested, inner bound from an input", "safe", "int main(void) { int c = 0, n = __VERIFIER_nondet_uchar() & 3;
            for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) c++; __VERIFIER_assert(c == 3 * n); }"),
        golden("nested, left from the inner loop", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), i, j;
            for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) if (i * 4 + j == n) goto out;
            out: __VERIFIER_assert(!(i == 2 && j == 3)); }"),
        golden("a loop of gotos", "safe", "int main(void) { int i = 0, s = 0; again: if (i >= 7) goto done; s += i; i++; goto again;
            done: __VERIFIER_assert(s == 21); }"),
        golden("a loop with two entries", "safe", "int main(void) { int i = 0; if (__VERIFIER_nondet_int()) goto middle;
            top: i++; middle: i++; if (i < 5) goto top; __VERIFIER_assert(i == 5 || i == 6); }"),
        golden("a loop with two entries, wrong", "unsafe", "int main(void) { int i = 0; if (__VERIFIER_nondet_int()) goto middle;
            top: i++; middle: i++; if (i < 5) goto top; __VERIFIER_assert(i == 6); }"),
        golden("do while, continue, break", "safe", "int main(void) { int i = 0, odd = 0;
            do { i++; if (i % 2 == 0) continue; if (i > 8) break; odd++; } while (i < 100); __VERIFIER_assert(odd == 4 && i == 9); }"),
        golden("switch in a loop, falling through", "safe", "int main(void) { int s = 0; for (int i = 0; i < 4; i++)
            switch (i) { case 0: s += 1; case 1: s += 10; break; case 2: s += 100; break; default: s += 1000; }
            __VERIFIER_assert(s == 1121); }"),
        golden("an endless loop after the check", "unsafe", "int main(void) { __VERIFIER_assert(__VERIFIER_nondet_int());
            for (;;) ; }"),
        golden("an endless loop before the check", "safe", "int x; int main(void) {
            while (1) x++; __VERIFIER_assert(0); }").bound(12),
        golden("left on an input", "unsafe", "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) i++;
            __VERIFIER_assert(i != 9); }"),
    ]);
}

/// Loops that no bound covers. The ones that are safe may be proved so; a violation that comes late must not
/// be lost.
#[test]
fn endless_loops() {
    check(&[
        golden("what enters late", "unsafe", "int main(void) { int f = 0, t = 0, p = 0, q = 0, r = 0, s = 0, u = 0;
            while (f == 0) { u = s; s = r; r = q; q = p; p = t; t = 1; f = __VERIFIER_nondet_int() & 1; } __VERIFIER_assert(u == 0); }"),
        golden("what enters late, in memory", "unsafe", "int t[6]; int main(void) { int f = 0; t[0] = 1;
            while (f != 7) { for (int i = 5; i > 0; i--) t[i] = t[i - 1]; f = __VERIFIER_nondet_int(); } __VERIFIER_assert(t[5] == 0); }"),
        golden("what enters late, in globals", "unsafe", "int f, t, p, q, r, s, u; void shift(void) { u = s; s = r; r = q; q = p; p = t; }
            int main(void) { while (!f) { shift(); t = 1; f = __VERIFIER_nondet_int(); } __VERIFIER_assert(u == 0 || f == 0); }"),
        golden("a machine with states", "unsafe", "int main(void) { int s = 0; while (1) { int x = __VERIFIER_nondet_int();
            if (s < 6 && x == s) s++; else s = 0; __VERIFIER_assert(s != 6); } }"),
        golden("left in the middle", "unsafe", "int main(void) { int a = 0, b = 0, c = 0, d = 0, e = 0; for (;;) { if (__VERIFIER_nondet_int() == 1) break;
            e = d; d = c; c = b; b = a; a = 1; if (__VERIFIER_nondet_int() == 2) goto out; } out: __VERIFIER_assert(!e); }"),
        golden("an inner loop", "unsafe", "int main(void) { int a = 0, b = 0, c = 0, d = 0; while (__VERIFIER_nondet_int()) {
            while (__VERIFIER_nondet_int()) { d = c; c = b; } b = a; a = 1; } __VERIFIER_assert(d == 0); }"),
        golden("a pointer that moves on", "unsafe", "int x, y, z, *p = &x; int main(void) { while (__VERIFIER_nondet_int()) { if (p == &y) p = &z; else if (p == &x) p = &y; }
            *p = 1; __VERIFIER_assert(z == 0); }"),
        golden("counted to the end", "unsafe", "int main(void) { unsigned char i = 0; int n = 0; while (__VERIFIER_nondet_int()) { i++; if (i == 9) n = 1; }
            __VERIFIER_assert(!n); }"),
    ]);
}

#[test]
fn calls_and_recursion() {
    check(&[
        golden("recursion of constant depth", "safe", "int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }
            int main(void) { __VERIFIER_assert(f(6) == 720); }"),
        golden("recursion on an input", "safe", "int f(int n) { return n <= 0 ? 0 : n + f(n - 1); }
            int main(void) { int n = __VERIFIER_nondet_uchar() & 7; __VERIFIER_assert(f(n) == n * (n + 1) / 2); }"),
        golden("recursion on an input, wrong", "unsafe", "int f(int n) { return n <= 0 ? 0 : n + f(n - 1); }
            int main(void) { int n = __VERIFIER_nondet_uchar() & 7; __VERIFIER_assert(f(n) != 21); }"),
        golden("recursion beyond the bound", "unknown: safe up to 4", "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
            int main(void) { int n = __VERIFIER_nondet_uchar(); __VERIFIER_assert(f(n) != 20); }").bound(4),
        golden("recursion without a base case", "safe", "int f(int n) { return f(n + 1); }
            int main(void) { __VERIFIER_assert(f(0)); }").bound(6),
        golden("recursion without a base case, check inside", "unsafe", "int f(int n) { __VERIFIER_assert(n != 4); return f(n + 1); }
            int main(void) { f(0); }"),
        golden("two functions that call each other", "safe", "int odd(int n); int even(int n) { return n == 0 || odd(n - 1); }
            int odd(int n) { return n != 0 && even(n - 1); } int main(void) { int n = __VERIFIER_nondet_uchar() & 7;
            __VERIFIER_assert(even(n) == (n % 2 == 0)); }"),
        golden("a global changed below", "safe", "int g = 1; void h(void) { g = g * 3; } void f(void) { h(); h(); }
            int main(void) { f(); __VERIFIER_assert(g == 9); f(); __VERIFIER_assert(g == 81); }"),
        golden("a global changed on one path", "unsafe", "int g; void f(int x) { if (x > 10) g = x; }
            int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(g <= 10 || g > 11); }"),
        golden("a check in a callee", "unsafe", "void f(int x) { __VERIFIER_assert(x < 50); }
            int main(void) { int x = __VERIFIER_nondet_int(); if (x < 100) f(x); }"),
        golden("a check in a callee that holds", "safe", "void f(int x) { __VERIFIER_assert(x < 100); }
            int main(void) { int x = __VERIFIER_nondet_int(); if (x < 100) f(x); }"),
        golden("exit in a callee", "safe", "void die(int x) { if (x) exit(1); } int main(void) {
            int x = __VERIFIER_nondet_int(); die(x == 3); __VERIFIER_assert(x != 3); }"),
        golden("abort in a callee, on the wrong side", "unsafe", "void die(int x) { if (x) abort(); } int main(void) {
            int x = __VERIFIER_nondet_int(); die(x != 3); __VERIFIER_assert(x != 3); }"),
        golden("an assumption in a callee", "safe", "int small(void) { int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 0 && x < 10); return x; } int main(void) { __VERIFIER_assert(small() + small() < 19); }"),
        golden("an assumption that nothing satisfies", "safe", "int main(void) { int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 5 && x < 5); __VERIFIER_assert(0); }"),
        golden("an error function", "unsafe", "int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); }"),
        golden("an assumption after the check", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int();
            __VERIFIER_assert(x); __VERIFIER_assume(x); }"),
        golden("function pointers", "safe", "int inc(int x) { return x + 1; } int twice(int x) { return 2 * x; }
            int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? inc : twice; int y = f(1); __VERIFIER_assert(y == 2); }"),
        golden("a table of functions", "unsafe", "int a(int x) { return x + 1; } int b(int x) { return x + 2; }
            int c(int x) { return x + 3; } int (*const table[])(int) = { a, b, c };
            int main(void) { unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 3);
            __VERIFIER_assert(table[i](10) != 13); }"),
        golden("a table of functions, all fine", "safe", "int a(int x) { return x + 1; } int b(int x) { return x + 2; }
            int (*table[2])(int) = { a, b }; int main(void) { unsigned i = __VERIFIER_nondet_uint() & 1;
            int r = table[i](10); __VERIFIER_assert(r == 11 + (int)i); }"),
        golden("a function pointer in a struct, passed on", "safe", "struct ops { int (*get)(void *); void *arg; };
            int get(void *p) { return *(int *)p; } int call(struct ops *o) { return o->get(o->arg); }
            int main(void) { int x = __VERIFIER_nondet_int(); struct ops o = { get, &x }; __VERIFIER_assert(call(&o) == x); }"),
        golden("variadic", "safe", "int sum(int n, ...) { __builtin_va_list v; __builtin_va_start(v, n); int s = 0;
            for (int i = 0; i < n; i++) s += __builtin_va_arg(v, int); __builtin_va_end(v); return s; }
            int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(sum(3, x, 1, -x) == 1); }"),
        golden("variadic of different types", "unsafe", "long pick(int n, ...) { __builtin_va_list v; __builtin_va_start(v, n);
            char *p = __builtin_va_arg(v, char *); long l = __builtin_va_arg(v, long); __builtin_va_end(v); return l + p[n]; }
            int main(void) { __VERIFIER_assert(pick(1, \"ab\", __VERIFIER_nondet_long()) != 100); }"),
        golden("an extern function", "unsafe", "extern int outside(int); int main(void) { __VERIFIER_assert(outside(1) == outside(1)); }"),
        golden("an extern function, assumed to change nothing", "safe", "extern void outside(void); int g = 4;
            int main(void) { outside(); __VERIFIER_assert(g == 4); }"),
        golden("main with parameters", "unsafe", "int main(int argc, char **argv) { __VERIFIER_assert(argc < 1000); }"),
        golden("passing a struct", "safe", "struct p { int x, y; }; struct p swap(struct p a) { struct p b = { a.y, a.x }; a.x = 0; return b; }
            int main(void) { struct p a = { __VERIFIER_nondet_int(), 2 }; struct p b = swap(a); __VERIFIER_assert(b.y == a.x && b.x == 2); }"),
        golden("static in a function", "safe", "int next(void) { static int n = 5; return n++; }
            int main(void) { next(); next(); __VERIFIER_assert(next() == 7); }"),
    ]);
}

#[test]
fn arithmetic() {
    check(&[
        golden(
            "unsigned wraps",
            "unsafe",
            "int main(void) { unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assert(x + 1 > x); }",
        ),
        golden(
            "promotion of small types",
            "safe",
            "int main(void) { unsigned char a = 255, b = __VERIFIER_nondet_uchar();
            __VERIFIER_assert(a + b >= 255); a += b; __VERIFIER_assert(a == (unsigned char)(b - 1)); }",
        ),
        golden(
            "signed and unsigned compared",
            "safe",
            "int main(void) { int x = -1; unsigned y = 1; __VERIFIER_assert(x > y); }",
        ),
        golden("division rounds to zero", "safe", "int main(void) { int x = __VERIFIER_nondet_char();
            __VERIFIER_assert(x / 7 * 7 + x % 7 == x && x / -3 * -3 + x % -3 == x); __VERIFIER_assert(-7 / 2 == -3 && -7 % 2 == -1); }"),
        golden(
            "a square that is not negative",
            "unsafe",
            "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x * x >= 0); }",
        ),
        golden(
            "shifts of negative numbers",
            "safe",
            "int main(void) { int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x < 0); __VERIFIER_assert(x >> 1 < 0 && (unsigned)x >> 31 == 1); }",
        ),
        golden(
            "long is 64 bits",
            "safe",
            "int main(void) { long x = 1L << 40; __VERIFIER_assert(x > 0 && sizeof x == 8); }",
        ),
        golden(
            "long is 32 bits",
            "safe",
            "int main(void) { __VERIFIER_assert(sizeof(long) == 4 && sizeof(void *) == 4 &&
            (unsigned long)-1 == 0xffffffffu); }",
        )
        .ilp32(),
        golden(
            "conversion of long to int, LP64",
            "unsafe",
            "int main(void) { long x = __VERIFIER_nondet_long(); int y = x; __VERIFIER_assert(y == x); }",
        ),
        golden(
            "conversion of long to int, ILP32",
            "safe",
            "int main(void) { long x = __VERIFIER_nondet_long(); int y = x; __VERIFIER_assert(y == x); }",
        )
        .ilp32(),
        golden(
            "64 bits on ILP32",
            "unsafe",
            "int main(void) { long long x = __VERIFIER_nondet_longlong();
            __VERIFIER_assert(x != 0x123456789abLL * 3); }",
        )
        .ilp32(),
        golden(
            "bool",
            "safe",
            "int main(void) { _Bool b = __VERIFIER_nondet_int(); b = b + b; __VERIFIER_assert(b == 0 || b == 1); }",
        ),
        golden(
            "short circuit",
            "safe",
            "int g; int bump(void) { g++; return 1; } int main(void) { int x = __VERIFIER_nondet_int();
            int y = x && bump(); __VERIFIER_assert(g == (x != 0) && y == (x != 0)); }",
        ),
        golden(
            "enumerations and comma",
            "safe",
            "enum e { A = 3, B, C = B * 2 }; int main(void) { int x = (A, C); __VERIFIER_assert(x == 8); }",
        ),
        golden(
            "float is exact on small numbers",
            "safe",
            "int main(void) { int x = __VERIFIER_nondet_char(); float f = x;
            __VERIFIER_assert((int)f == x && f + 0.5f > f); }",
        ),
        golden(
            "float is not exact on large numbers",
            "unsafe",
            "int main(void) { int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 0 && x < 0x7fffff00); float f = x; __VERIFIER_assert((int)f == x); }",
        ),
        golden(
            "a float that differs from itself",
            "unsafe",
            "int main(void) { float f = __VERIFIER_nondet_float(); __VERIFIER_assert(f == f); }",
        ),
        golden(
            "double",
            "safe",
            "int main(void) { double d = __VERIFIER_nondet_double(); __VERIFIER_assume(d > 1.0 && d < 2.0);
            __VERIFIER_assert(d + d > 2.0); }",
        ),
        golden(
            "decimal fractions",
            "safe",
            "int main(void) { double a = 0.1, b = 0.2; __VERIFIER_assert(a + b != 0.3 && 0.1f != 0.1); }",
        ),
    ]);
}

/// A quotient that does not fit traps as a division by zero does, and so does its remainder.
#[test]
fn divisions() {
    const DIV: &[CheckKind] = &[CheckKind::Div];
    let check_div = |list: [(&'static str, &'static str, &'static str); 8]| {
        let goldens = list.map(|(name, expected, text)| golden(name, expected, text).checks(DIV));
        check(&goldens);
    };
    check_div([
        ("constants", "unsafe", "int main(void) { int x = -2147483647 - 1, y = -1; return x / y; }"),
        ("one expression of constants", "unsafe", "int main(void) { return (-2147483647 - 1) / -1; }"),
        ("any number", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); return x / -1; }"),
        ("a remainder", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); return x % -1; }"),
        (
            "assigned",
            "unsafe",
            "int main(void) { long long x = __VERIFIER_nondet_longlong(), y = -1; x %= y; return 0; }",
        ),
        (
            "a divisor that is neither",
            "safe",
            "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            if (y != 0 && y != -1) x /= y; return x; }",
        ),
        ("promoted", "safe", "int main(void) { short x = __VERIFIER_nondet_short(); return x / -1; }"),
        ("unsigned", "safe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); return x / -1u; }"),
    ]);
}
