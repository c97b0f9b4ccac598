//! Pairs that are equivalent.

use crate::Expected::Equivalent;
use crate::{UNBOUNDED, check, check_question};

fn equal(pairs: &[(&str, &str, &str)]) {
    check(Equivalent, pairs);
}

/// In both meanings of integers.
fn equal_always(pairs: &[(&str, &str, &str)]) {
    check(Equivalent, pairs);
    check_question(Equivalent, UNBOUNDED, pairs);
}

#[test]
fn loops() {
    equal_always(&[
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i <= n; i++) s += i; return s; }",
            "int f(int n) { int s = 0; for (int i = 1; i <= n; i++) s += i; return s; }",
        ),
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 3; return s; }",
            "int f(int n) { int s = 0; int k = 0; while (k < n) { k++; s += 3; } return s; }",
        ),
        (
            "",
            "int f(int n) { int i = 0; while (i < n) i++; return i; }",
            "int f(int n) { int i = 0; if (i < n) { do i++; while (i < n); } return i; }",
        ),
        (
            "",
            "int f(int n, int c) { int s = 0; for (int i = 0; i < n; i++) { if (c) s += 2; else s += 5; } return s; }",
            "int f(int n, int c) { int s = 0; if (c) { for (int i = 0; i < n; i++) s += 2; } else { for (int i = 0; i < n; i++) s += 5; } return s; }",
        ),
    ]);
}

#[test]
fn unrolled_and_nested_loops() {
    equal(&[
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
            "int f(int n) { int s = 0, i = 0; while (i < n) { s += i; i++; if (i < n) { s += i; i++; } } return s; }",
        ),
        (
            "",
            "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += j; return s; }",
            "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) { int t = 0; for (int j = 0; j < m; j++) t += j; s += t; } return s; }",
        ),
        (
            "",
            "int f(void) { int s = 0; for (int i = 0; i < 10; i++) s += i; return s; }",
            "int f(void) { return 45; }",
        ),
        (
            "",
            "int f(int x) { int s = 0; for (int i = 0; i < 4; i++) s += x; return s; }",
            "int f(int x) { return 4 * x; }",
        ),
    ]);
}

#[test]
fn jumps() {
    equal(&[
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 7) break; s++; } return s; }",
            "int f(int n) { int s = 0, i = 0; again: if (i >= n || i == 7) return s; s++; i++; goto again; }",
        ),
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i & 1) continue; s += i; } return s; }",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (!(i & 1)) s += i; } return s; }",
        ),
        (
            "",
            "int f(int x) { int r; if (x < 0) r = -1; else if (x == 0) r = 0; else r = 1; return r; }",
            "int f(int x) { if (x < 0) return -1; if (x == 0) return 0; return 1; }",
        ),
        (
            "",
            "int f(int x) { switch (x) { case 1: return 10; case 2: return 20; default: return 0; } }",
            "int f(int x) { if (x == 2) return 20; return x == 1 ? 10 : 0; }",
        ),
    ]);
}

#[test]
fn recursion() {
    equal_always(&[
        (
            "",
            "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }",
            "int g(int n, int s) { if (n <= 0) return s; return g(n - 1, n + s); } int f(int n) { return g(n, 0); }",
        ),
        (
            "",
            "int f(int n) { if (n <= 1) return 1; return n + f(n - 1); }",
            "int f(int n) { if (n <= 1) return 1; if (n == 2) return 3; return n + (n - 1) + f(n - 2); }",
        ),
    ]);
    equal(&[(
        "",
        "int odd(int); int even(int n) { return n <= 0 ? 1 : odd(n - 1); } int odd(int n) { return n <= 0 ? 0 : even(n - 1); } int f(int n) { return even(n); }",
        "int b(int); int a(int n) { if (n > 0) return b(n - 1); return 1; } int b(int n) { if (n > 0) return a(n - 1); return 0; } int f(int n) { return a(n); }",
    )]);
}

#[test]
fn helpers() {
    equal(&[
        (
            "",
            "int f(int x, int y) { return x * x + y * y; }",
            "static int square(int x) { return x * x; } int f(int x, int y) { return square(x) + square(y); }",
        ),
        (
            "",
            "static int h(int x) { int r = 0; while (x > 0) { x /= 3; r++; } return r; } int f(int x) { return h(x) + h(x + 1); }",
            "static int digits(int x) { int r = 0; while (x > 0) { x /= 3; r++; } return r; } int f(int y) { int a = digits(y); return a + digits(y + 1); }",
        ),
        (
            "int g(int);",
            "int f(int x) { if (g(x) > 0) return g(x + 1); return 0; }",
            "int f(int y) { int r = g(y); if (r <= 0) return 0; r = g(y + 1); return r; }",
        ),
        (
            "void g(int); int f(int);",
            "int f(int n) { for (int i = 0; i < n; i++) g(i); return 0; }",
            "int f(int n) { int i = 0; while (i < n) { g(i); i = i + 1; } return 0; }",
        ),
    ]);
}

#[test]
fn memory() {
    equal(&[
        (
            "",
            "void f(int *d, int *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }",
            "void f(int *d, int *s, int n) { for (int i = 0; i < n; i++) { *d = *s; d++; s++; } }",
        ),
        (
            "",
            "void f(int *a, int n) { for (int i = 0; i + 1 < n; i++) a[i + 1] = a[i]; }",
            "void f(int *a, int n) { if (n > 1) { int v = a[0]; for (int i = 1; i < n; i++) a[i] = v; } }",
        ),
        (
            "",
            "void f(int *a, int *b) { *a = 1; *b = 2; }",
            "void f(int *a, int *b) { *b = 2; if (a != b) *a = 1; }",
        ),
        (
            "struct p { char c; int x; long long y; };",
            "int f(struct p *q) { q->x += q->c; return q->x; }",
            "int f(struct p *q) { struct p copy = *q; copy.x += copy.c; q->x = copy.x; return copy.x; }",
        ),
        (
            "struct p { int x, y; };",
            "struct p f(struct p q) { struct p r; r.x = q.y; r.y = q.x; return r; }",
            "struct p f(struct p q) { int t = q.x; q.x = q.y; q.y = t; return q; }",
        ),
        ("int g, h;", "void f(int x) { g = x; h = g + 1; }", "void f(int x) { h = x + 1; g = h - 1; }"),
        (
            "static const int table[4] = {2, 3, 5, 7};",
            "int f(unsigned i) { return table[i & 3]; }",
            "int f(unsigned i) { switch (i % 4) { case 0: return 2; case 1: return 3; case 2: return 5; } return 7; }",
        ),
        (
            "",
            "int f(int x) { int a[3]; a[0] = x; a[1] = a[0] + 1; a[2] = a[1] + 1; return a[2]; }",
            "int f(int x) { return x + 2; }",
        ),
    ]);
}

#[test]
fn arithmetic() {
    equal(&[
        ("", "unsigned f(unsigned x) { return x - x / 8 * 8; }", "unsigned f(unsigned x) { return x & 7; }"),
        ("", "unsigned f(unsigned x) { return -x; }", "unsigned f(unsigned x) { return ~x + 1; }"),
        ("", "int f(int x) { return (char)x; }", "int f(int x) { return (signed char)(x & 255); }"),
        ("", "int f(short s) { return (short)(s + 65536); }", "int f(short s) { return s; }"),
        (
            "",
            "int f(int x, int y) { return y != 0 && y != -1 ? x / y : 0; }",
            "int f(int x, int y) { if (y == 0 || y == -1) return 0; return x / y; }",
        ),
        ("", "int f(int x, int y) { int q = x / y; return q; }", "int f(int a, int b) { return a / b; }"),
        ("", "long f(long *p) { return (long)(p + 1); }", "long f(long *p) { return (long)p + 8; }"),
        (
            "",
            "double f(double x, double y) { double t = x + y; return t * 2.0; }",
            "double f(double x, double y) { return (x + y) * 2.0; }",
        ),
        ("", "int f(unsigned char c) { return c < 256; }", "int f(unsigned char c) { return 1; }"),
    ]);
}

#[test]
fn whole_programs() {
    equal(&[
        (
            "int __VERIFIER_nondet_int(void);",
            "int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int(); return x < y ? 1 : 2; }",
            "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a >= b) return 2; return 1; }",
        ),
        (
            "void exit(int);",
            "int f(int x) { if (x < 0) exit(3); return x; }",
            "static void fail(void) { exit(3); } int f(int x) { if (x >= 0) return x; fail(); return 0; }",
        ),
        ("", "static int k = 5; int main(void) { return k; }", "int main(void) { return 5; }"),
    ]);
}
