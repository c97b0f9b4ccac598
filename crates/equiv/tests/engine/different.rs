//! Pairs that are almost equivalent: what differs is one input, one path, one cell, one call.

use crate::Expected::{Different, Endless, Equivalent, NotProved};
use crate::{UNBOUNDED, check, check_question};

fn different(pairs: &[(&str, &str, &str)]) {
    check(Different, pairs);
}

#[test]
fn values() {
    different(&[
        // One input of 2^32.
        ("", "int f(int x) { return x == 123456789; }", "int f(int x) { return 0; }"),
        (
            "",
            "int f(int x, int y) { return x == 77777 && y == -99999; }",
            "int f(int x, int y) { return 0; }",
        ),
        // Overflow only.
        ("", "int f(int x) { return (long long)x + 1 > x; }", "int f(int x) { return (int)(x + 1u) > x; }"),
        (
            "",
            "int f(unsigned x, unsigned y) { return x - y > 0; }",
            "int f(unsigned x, unsigned y) { return x > y; }",
        ),
        // Signedness.
        ("", "int f(int x, unsigned n) { return x < n; }", "int f(int x, unsigned n) { return x < (int)n; }"),
        ("", "int f(char c) { return c < 0; }", "int f(char c) { return (unsigned char)c < 0; }"),
        ("", "int f(int x) { return (signed char)x; }", "int f(int x) { return (unsigned char)x; }"),
        ("", "int f(short s) { return s >> 1; }", "int f(short s) { return (unsigned short)s >> 1; }"),
        ("", "int f(int x) { return x / 2; }", "int f(int x) { return x >> 1; }"),
        ("", "int f(int x) { return x % 4; }", "int f(int x) { return x & 3; }"),
        ("", "long f(int x) { return (long)x * 4; }", "long f(int x) { return x * 4; }"),
        ("", "double f(double x) { return x + 0.0; }", "double f(double x) { return x; }"),
    ]);
}

#[test]
fn loops() {
    different(&[
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
            "int f(int n) { int s = 0; for (int i = 0; i <= n; i++) s += i; return s; }",
        ),
        (
            "",
            "int f(int n) { int i = 0; while (i < n) i++; return i; }",
            "int f(int n) { int i = 0; do i++; while (i < n); return i; }",
        ),
        // Only in the seventh iteration.
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i == 7 ? 8 : i; return s; }",
        ),
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (s > 44) break; s += i; } return s; }",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (s > 45) break; s += i; } return s; }",
        ),
        (
            "",
            "unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n % 50; i += 2) s++; return s; }",
            "unsigned f(unsigned n) { return n % 50 / 2; }",
        ),
        // After the loop one variable is off when the loop was left early.
        (
            "",
            "int f(int n, int k) { int i; for (i = 0; i < n; i++) if (i == k) break; return i; }",
            "int f(int n, int k) { int i; for (i = 0; i < n; i++) if (i == k) { i++; break; } return i; }",
        ),
        (
            "",
            "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }",
            "int f(int n) { if (n <= 0) return 0; if (n == 9) return 44; return n + f(n - 1); }",
        ),
        (
            "",
            "int odd(int); int even(int n) { return n <= 0 ? 1 : odd(n - 1); } int odd(int n) { return n <= 0 ? 0 : even(n - 1); } int f(int n) { return even(n); }",
            "int odd(int); int even(int n) { return n <= 0 ? 1 : odd(n - 1); } int odd(int n) { return n <= 0 ? 1 : even(n - 1); } int f(int n) { return even(n); }",
        ),
    ]);
    let short = "int f(int n) { if (n == 5) { int i = 1; while (i > 0) i = 3 - i; } return n; }";
    check(Endless, &[("", "int f(int n) { return n; }", short)]);
}

#[test]
fn memory() {
    different(&[
        // Only if the pointers alias.
        (
            "",
            "int f(int *a, int *b) { *a = 1; *b = 2; return *a; }",
            "int f(int *a, int *b) { *a = 1; *b = 2; return 1; }",
        ),
        ("", "void f(int *a, int *b) { *a = 1; *b = 2; }", "void f(int *a, int *b) { *b = 2; *a = 1; }"),
        ("", "void f(int *a, int *b) { *a += *b; *a += *b; }", "void f(int *a, int *b) { *a += 2 * *b; }"),
        // Only if they overlap in part.
        (
            "",
            "int f(int *a, char *b) { *a = 0; b[1] = 1; return *a; }",
            "int f(int *a, char *b) { *a = 0; b[1] = 1; return 0; }",
        ),
        (
            "",
            "void f(char *d, char *s) { for (int i = 0; i < 8; i++) d[i] = s[i]; }",
            "void f(char *d, char *s) { for (int i = 7; i >= 0; i--) d[i] = s[i]; }",
        ),
        // Only beyond the first element.
        ("", "void f(int *a) { a[0] = 1; a[9] = 2; }", "void f(int *a) { a[0] = 1; a[9] = 3; }"),
        (
            "",
            "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }",
            "void f(int *a, int n) { for (int i = 0; i < n - 1; i++) a[i] = 0; }",
        ),
        // Only in a global.
        ("int g;", "int f(int x) { g = x; return x; }", "int f(int x) { g = x + 1; return x; }"),
        ("int g;", "int f(int x) { if (x == 4321) g = 0; return x; }", "int f(int x) { return x; }"),
        ("int g[5];", "void f(int i) { if (i == 3) g[i] = 1; }", "void f(int i) { if (i == 3) g[i] = 2; }"),
        // State that outlives the call.
        (
            "",
            "int f(int x) { static int calls; calls++; return calls > 3 ? x : 0; }",
            "int f(int x) { static int calls; calls++; return calls > 4 ? x : 0; }",
        ),
        // Behind padding, or at the end of a struct.
        (
            "struct s { char c; int x; char d; };",
            "void f(struct s *p) { p->c = 1; p->d = 2; }",
            "void f(struct s *p) { p->c = 1; p->d = 3; }",
        ),
        (
            "struct s { int x; int y; };",
            "struct s f(struct s a) { a.y++; return a; }",
            "struct s f(struct s a) { a.x++; return a; }",
        ),
        (
            "static const int t[4] = {1, 2, 3, 4};",
            "int f(unsigned i) { return t[i & 3]; }",
            "static const int u[4] = {1, 2, 3, 5}; int f(unsigned i) { return u[i & 3]; }",
        ),
        (
            "",
            "const int t[4] = {1, 2, 3, 4}; int f(unsigned i) { return t[i & 3]; }",
            "const int t[4] = {1, 2, 4, 4}; int f(unsigned i) { return t[i & 3]; }",
        ),
        (
            "struct n { struct n *next; int v; };",
            "int f(struct n *p) { int s = 0; while (p) { s += p->v; p = p->next; } return s; }",
            "int f(struct n *p) { int s = 0; while (p && p->next) { s += p->v; p = p->next; } return s; }",
        ),
    ]);
}

#[test]
fn calls() {
    different(&[
        ("void g(int); void h(int);", "void f(int x) { g(x); h(x); }", "void f(int x) { h(x); g(x); }"),
        ("void g(int);", "void f(int x) { g(x); g(x + 1); }", "void f(int x) { g(x + 1); g(x); }"),
        ("int g(int);", "int f(int x) { return g(x) + g(x); }", "int f(int x) { return 2 * g(x); }"),
        ("int g(int);", "int f(int x) { return g(x) - g(x); }", "int f(int x) { g(x); g(x); return 0; }"),
        (
            "void g(int);",
            "void f(int n) { for (int i = 0; i < n; i++) g(i); }",
            "void f(int n) { for (int i = 0; i < n; i++) g(i == 5 ? 4 : i); }",
        ),
        // A helper of the same name does something else, or takes its parameters in another order.
        (
            "",
            "static int h(int a, int b) { return a - b; } int f(int x, int y) { return h(x, y); }",
            "static int h(int a, int b) { return b - a; } int f(int x, int y) { return h(x, y); }",
        ),
        (
            "",
            "static int h(int a, int b) { return a - b; } int f(int x, int y) { return h(x, y); }",
            "static int h(int b, int a) { return a - b; } int f(int x, int y) { return h(x, y); }",
        ),
        (
            "typedef int (*op)(int);",
            "static int h(int a) { return a + 1; } int f(int x) { op p = h; return p(x); }",
            "static int h(int a) { return a + 2; } int f(int x) { op p = h; return p(x); }",
        ),
        (
            "typedef int (*op)(int);",
            "static int h(int a) { return a + 1; } static int k(int a) { return a; } op table[2] = {h, k}; int main(void) { return table[1](3); }",
            "static int h(int a) { return a + 1; } static int k(int a) { return a; } op table[2] = {k, h}; int main(void) { return table[1](3); }",
        ),
        (
            "",
            "static int h(int a) { int r = 0; while (a > 0) { r += a; a--; } return r; } int f(int x) { return h(x) + h(x); }",
            "static int h(int a) { int r = 0; while (a > 1) { r += a; a--; } return r; } int f(int x) { return h(x) + h(x); }",
        ),
        // The effect of a helper that returns the same.
        (
            "int g;",
            "static int h(int a) { g = a; return a; } int f(int x) { return h(x); }",
            "static int h(int a) { g = 0; return a; } int f(int x) { return h(x); }",
        ),
        (
            "int __VERIFIER_nondet_int(void);",
            "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); return x < y; }",
            "int main(void) { int y = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(); return x < y; }",
        ),
    ]);
}

#[test]
fn endings() {
    different(&[
        (
            "void exit(int);",
            "int f(int x) { if (x == 5) exit(1); return 0; }",
            "int f(int x) { if (x == 5) exit(2); return 0; }",
        ),
        (
            "void exit(int); void abort(void);",
            "int f(int x) { if (x > 5) exit(1); return 0; }",
            "int f(int x) { if (x > 5) abort(); return 0; }",
        ),
        ("void exit(int);", "int f(int x) { exit(x); }", "int f(int x) { return x; }"),
        ("", "int f(int x, int y) { return x / y; }", "int f(int x, int y) { return y == 0 ? 0 : x / y; }"),
        (
            "",
            "int f(int x, int y) { int q = x / y; return q - q; }",
            "int f(int x, int y) { return 0 * (x + y); }",
        ),
        // Only a callee traps.
        (
            "",
            "static int h(int a) { return 10 / a; } int f(int x) { return h(x) * 0; }",
            "static int h(int a) { return 10 / a; } int f(int x) { return 0; }",
        ),
        (
            "",
            "static int h(int a, int n) { int s = 0; for (int i = 0; i < n; i++) s += 10 / a; return s; } int f(int x, int n) { return h(x, n) * 0; }",
            "int f(int x, int n) { return 0; }",
        ),
        // The trap comes before, or after, a call that is observed.
        (
            "void g(void);",
            "int f(int x) { g(); return 1 / x; }",
            "int f(int x) { int r = 1 / x; g(); return r; }",
        ),
        (
            "void exit(int); int g;",
            "int f(int x) { if (1 / x) g = 1; exit(0); }",
            "int f(int x) { exit(0); }",
        ),
    ]);
}

#[test]
fn mathematical_integers() {
    let pairs = [
        (
            "",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
            "int f(int n) { int s = 0; for (int i = 0; i <= n; i++) s += i; return s; }",
        ),
        ("", "int f(int x, int y) { return x < y; }", "int f(int x, int y) { return x <= y; }"),
        ("", "void f(int *a, int *b) { *a = 1; *b = 2; }", "void f(int *a, int *b) { *b = 2; *a = 1; }"),
        ("", "int f(int x) { return x / 3; }", "int f(int x) { return (x - 2) / 3; }"),
    ];
    check_question(Different, UNBOUNDED, &pairs);
    // What functions without a body do is not known in runs without bounds.
    let calls = ("void g(int);", "void f(int x) { g(x); g(x + 1); }", "void f(int x) { g(x + 1); g(x); }");
    check_question(NotProved, UNBOUNDED, &[calls]);
}

#[test]
fn what_no_run_shows() {
    check(
        NotProved,
        &[
            // Who is called can write through what it is given.
            (
                "void g(int *);",
                "int f(void) { int x = 1; g(&x); return x; }",
                "int f(void) { int x = 1; g(&x); return 1; }",
            ),
            // Random pointers rarely point to the global.
            (
                "int g; int *p = &g;",
                "int f(void) { g = 1; *p = 2; return g; }",
                "int f(void) { g = 1; *p = 2; return 1; }",
            ),
            // Who is called can look at the global.
            (
                "void g(void); int v;",
                "void f(void) { v = 1; g(); v = 2; }",
                "void f(void) { g(); v = 1; v = 2; }",
            ),
            (
                "",
                "double f(double x, double y, double z) { return (x + y) + z; }",
                "double f(double x, double y, double z) { return x + (y + z); }",
            ),
        ],
    );
}

/// Found by these tests: what was unknown of an initialiser was the same unknown in both versions.
#[test]
fn initialisers() {
    check(
        NotProved,
        &[
            (
                "",
                "static int k = 5; int main(void) { return k; }",
                "static int k = 6; int main(void) { return k; }",
            ),
            ("", "const int k = 5; int f(void) { return k; }", "const int k = 6; int f(void) { return k; }"),
            (
                "",
                "int t[2] = {1, 2}; int main(void) { return t[1]; }",
                "int t[2] = {1, 3}; int main(void) { return t[1]; }",
            ),
            (
                "",
                "int t[2] = {1, 2}; int main(void) { t[0] = 5; return t[1]; }",
                "int t[2] = {1, 3}; int main(void) { t[0] = 5; return t[1]; }",
            ),
            (
                "int __VERIFIER_nondet_int(void);",
                "int t[2] = {1, 2}; int main(void) { return t[__VERIFIER_nondet_int() & 1]; }",
                "int t[2] = {1, 3}; int main(void) { return t[__VERIFIER_nondet_int() & 1]; }",
            ),
            (
                "",
                "static int a = 1, b = 2; int *p = &a; int main(void) { return *p; }",
                "static int a = 1, b = 2; int *p = &b; int main(void) { return *p; }",
            ),
            (
                "",
                "static int a = 1, b = 2; int *p = &a; int main(void) { a++; b++; b++; return *p; }",
                "static int a = 1, b = 2; int *p = &b; int main(void) { a++; b++; b++; return *p; }",
            ),
            (
                "",
                "static int a = 1, b = 2; int *const p = &a; int f(void) { a = 1; b = 2; return *p; }",
                "static int a = 1, b = 2; int *const p = &b; int f(void) { a = 1; b = 2; return *p; }",
            ),
            (
                "",
                "static int a = 1, b = 2; static int *const p[2] = {&a, &b}; int f(int i) { a = 1; b = 2; return *p[i & 1]; }",
                "static int a = 1, b = 2; static int *const p[2] = {&b, &a}; int f(int i) { a = 1; b = 2; return *p[i & 1]; }",
            ),
            (
                "static int h(int a) { return a + 1; } static int k(int a) { return a; }",
                "static int (*const t[2])(int) = {h, k}; int f(int i) { return t[i & 1](i); }",
                "static int (*const t[2])(int) = {k, h}; int f(int i) { return t[i & 1](i); }",
            ),
            (
                "static int h(int a) { return a + 1; } static int k(int a) { return a; }",
                "int (*t)(int) = h; int main(void) { return t(7); }",
                "int (*t)(int) = k; int main(void) { return t(7); }",
            ),
            (
                "",
                "double d = 1.5; int main(void) { return d > 2; }",
                "double d = 2.5; int main(void) { return d > 2; }",
            ),
            (
                "",
                "char *s = \"ab\"; int main(void) { return s[0]; }",
                "char *s = \"cb\"; int main(void) { return s[0]; }",
            ),
            (
                "",
                "int f(int i) { const char *s = \"ab\"; return s[i & 1]; }",
                "int f(int i) { const char *s = \"ac\"; return s[i & 1]; }",
            ),
        ],
    );
}

/// Where one version traps, a value that it does not have must not make the state vanish.
#[test]
fn traps() {
    different(&[
        (
            "",
            "int f(int x, int y) { return x / y; }",
            "int f(int x, int y) { if (y == -1) return -x; return x / y; }",
        ),
        (
            "",
            "int f(int x, int y) { return x / y; }",
            "int f(int x, int y) { if (y == -1 && x == -2147483647 - 1) return x; return x / y; }",
        ),
        ("", "int f(int x, int y) { return x % y; }", "int f(int x, int y) { return y == -1 ? 0 : x % y; }"),
        (
            "",
            "long long f(long long x, long long y) { return x / y; }",
            "long long f(long long x, long long y) { return y == -1 ? -x : x / y; }",
        ),
        // The value of one path is out of range on the one that traps.
        (
            "",
            "int f(int i, int n, int d) { if (i < n) return i + 1; return i / d; }",
            "int f(int i, int n, int d) { if (i < n) return i + 1; if (i == 2147483647 && d == 0) return 0; return i / d; }",
        ),
        // In a condition, a callee, a loop, an exit code.
        (
            "",
            "int f(int x, int y) { return x / y > 3 ? 1 : 2; }",
            "int f(int x, int y) { if (y == -1) return -x > 3 ? 1 : 2; return x / y > 3 ? 1 : 2; }",
        ),
        (
            "static int h(int x, int y) { return x / y; }",
            "int f(int x, int y) { return h(x, y); }",
            "int f(int x, int y) { return y == -1 ? -x : h(x, y); }",
        ),
        (
            "",
            "int f(int x, int y) { int s = 0; for (int i = 0; i < 2; i++) s ^= x / (y + i); return s; }",
            "int f(int x, int y) { int s = 0; for (int i = 0; i < 2; i++) s ^= y + i == -1 ? -x : x / (y + i); return s; }",
        ),
        (
            "void exit(int);",
            "void f(int x, int y) { exit(x / y); }",
            "void f(int x, int y) { exit(y == -1 ? -x : x / y); }",
        ),
        // What the arguments trap on comes before the call.
        (
            "void exit(int); static void h(int x) { if (x > 3) exit(x); }",
            "int f(int x, int y) { h(x / y); return 1; }",
            "int f(int x, int y) { if (y == 0) exit(9); h(x / y); return 1; }",
        ),
    ]);
}

/// Static data that nothing writes is what its initialiser says, whatever function is compared.
#[test]
fn static_data() {
    different(&[
        (
            "",
            "static int t[3] = {1, 2, 3}; int f(int x) { return t[x & 1]; }",
            "static int t[3] = {1, 9, 3}; int f(int x) { return t[x & 1]; }",
        ),
        ("", "static int k = 5; int f(void) { return k; }", "static int k = 6; int f(void) { return k; }"),
        ("", "static int k = 5; int f(int x) { return x * k; }", "int f(int x) { return x * 6; }"),
        (
            "static int p(int x) { return x + 1; } static int q(int x) { return x - 1; }",
            "static int (*t[2])(int) = {p, q}; int f(int x) { return t[x & 1](x); }",
            "static int (*t[2])(int) = {q, p}; int f(int x) { return t[x & 1](x); }",
        ),
        (
            "struct s { char c; int n; };",
            "static struct s t[2] = {{1, 2}, {3, 4}}; int f(int x) { struct s *p = &t[x & 1]; return p->n; }",
            "static struct s t[2] = {{1, 2}, {3, 5}}; int f(int x) { struct s *p = &t[x & 1]; return p->n; }",
        ),
        (
            "",
            "int f(int i) { static char s[] = \"ab\"; return s[i & 1]; }",
            "int f(int i) { static char s[] = \"ac\"; return s[i & 1]; }",
        ),
    ]);
    // What is written, or known outside, can be anything; only its first value differs.
    check(
        NotProved,
        &[
            (
                "",
                "static int n = 5; int f(void) { return n++; }",
                "static int n = 6; int f(void) { return n++; }",
            ),
            (
                "void give(int *);",
                "static int t[2] = {1, 2}; int f(int i) { give(t); return t[i & 1]; }",
                "static int t[2] = {1, 3}; int f(int i) { give(t); return t[i & 1]; }",
            ),
            (
                "",
                "static int n = 1; int f(void) { return n; } void set(int x) { n = x; }",
                "static int n = 2; int f(void) { return n; } void set(int x) { n = x; }",
            ),
            // Functions are taken to be called from anywhere, with a pointer to anything that is given away.
            (
                "static int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
                "static int t[3] = {1, 2, 3}; int f(void) { return sum(t, 3); }",
                "static int t[3] = {1, 2, 4}; int f(void) { return sum(t, 3); }",
            ),
        ],
    );
    check(
        Equivalent,
        &[
            ("", "static int k = 5; int f(int x) { return x * k; }", "int f(int x) { return x * 5; }"),
            (
                "",
                "static int t[2] = {3, 4}; int f(int x) { return t[x & 1]; }",
                "static int u[3] = {3, 4, 5}; int f(int x) { return x & 1 ? u[1] : u[0]; }",
            ),
            (
                "",
                "static int debug = 0; int f(int x) { if (debug > 1) x++; return x; }",
                "static int debug = 1; int f(int x) { if (debug > 1) x++; return x; }",
            ),
        ],
    );
}

/// Inputs that no run happens upon: both versions side by side, symbolically.
#[test]
fn rare_inputs() {
    different(&[
        (
            "struct s { int a, b; };",
            "void f(struct s *s, int x) { s->a = x; }",
            "void f(struct s *s, int x) { s->a = x; if ((x ^ 0x5a5a5a5a) * 7 == 12345) s->b = 0; }",
        ),
        (
            "int g;",
            "int f(int x) { return g + x; }",
            "int f(int x) { return (g ^ x) * 5 == 77777 ? 1 : g + x; }",
        ),
        (
            "int __VERIFIER_nondet_int(void);",
            "int main(void) { unsigned h = 0; for (int i = 0; i < 6; i++) h = h * 31 + (unsigned char)__VERIFIER_nondet_int(); return h == 0; }",
            "int main(void) { unsigned h = 0; for (int i = 0; i < 6; i++) h = h * 31 + (unsigned char)__VERIFIER_nondet_int(); return h == 0 || h == 987654321; }",
        ),
        ("int get(int);", "int f(int x) { return get(x) == x * 3 + 17777; }", "int f(int x) { return 0; }"),
    ]);
}
