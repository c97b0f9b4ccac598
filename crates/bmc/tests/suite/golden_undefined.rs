//! Small programs with known verdicts: what `--check` adds, values that nobody set, and behaviour without a
//! meaning, which must never be called safe.

use crate::golden::{check, golden};
use ir::CheckKind::{Div, Memory, Overflow, Shift};

#[test]
fn checks() {
    check(&[
        golden("overflow of a sum", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); int y = x + 1; }").checks(&[Overflow]),
        golden("no overflow of a sum", "safe", "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 2147483647) { int y = x + 1; } }")
            .checks(&[Overflow]),
        golden("overflow of a product", "unsafe", "int main(void) { short x = __VERIFIER_nondet_short(); int y = x * 65538; }").checks(&[Overflow]),
        golden("no overflow of a product", "safe", "int main(void) { short x = __VERIFIER_nondet_short(); int y = x * 65535; }").checks(&[Overflow]),
        golden("overflow of a negation", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); x = -x; }").checks(&[Overflow]),
        golden("unsigned does not overflow", "safe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); x = x * x + 1; }").checks(&[Overflow]),
        golden("overflow in a loop", "unsafe", "int main(void) { int n = __VERIFIER_nondet_int(), s = 1;
            for (int i = 0; i < n; i++) s *= 100; }").checks(&[Overflow]),
        golden("division by zero", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(); return 100 / x; }").checks(&[Div]),
        golden("remainder by zero in a callee", "unsafe", "int f(int x) { return 7 % x; } int main(void) {
            unsigned x = __VERIFIER_nondet_uint(); return f(x >> 31); }").checks(&[Div]),
        golden("no division by zero", "safe", "int main(void) { int x = __VERIFIER_nondet_int(); return x ? 100 / x : 0; }").checks(&[Div]),
        golden("shift too far", "unsafe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); return 1u << (x & 63); }").checks(&[Shift]),
        golden("shift far enough", "safe", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); return 1u << (x & 31); }").checks(&[Shift]),
        golden("null pointer", "unsafe", "int main(void) { int x, *p = __VERIFIER_nondet_int() ? &x : 0; *p = 1; }").checks(&[Memory]),
        golden("index out of bounds", "unsafe", "int a[10]; int main(void) { int i = __VERIFIER_nondet_int();
            if (i >= 0 && i <= 10) a[i] = 1; }").checks(&[Memory]),
        golden("index in bounds", "safe", "int a[10]; int main(void) { int i = __VERIFIER_nondet_int();
            if (i >= 0 && i < 10) a[i] = 1; }").checks(&[Memory]),
        golden("negative index", "unsafe", "int a[10]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 10) a[i] = 1; }").checks(&[Memory]),
        golden("use after free", "unsafe", "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; if (__VERIFIER_nondet_int()) free(p);
            return *p; }").checks(&[Memory]),
        golden("free twice", "unsafe", "int main(void) { int *p = malloc(4); free(p); if (__VERIFIER_nondet_int() == 9) free(p); }")
            .checks(&[Memory]),
        golden("free of a local", "unsafe", "int main(void) { int x; free(&x); }").checks(&[Memory]),
        golden("free of null", "safe", "int main(void) { free(0); }").checks(&[Memory]),
        golden("a local that is gone", "unsafe", "int *f(void) { int x = 3; int *p = &x; return p; } int main(void) { return *f(); }").checks(&[Memory]),
        golden("allocation of unknown size", "unsafe", "int main(void) { unsigned n = __VERIFIER_nondet_uint() & 15; char *p = malloc(n);
            if (p && n) p[n] = 0; }").checks(&[Memory]),
        golden("allocation of unknown size, in bounds", "safe", "int main(void) { unsigned n = __VERIFIER_nondet_uint() & 15; char *p = malloc(n);
            if (p && n) p[n - 1] = 0; }").checks(&[Memory]),
        golden("write to a literal", "unsafe", "int main(void) { char *s = \"abc\"; s[1] = 'x'; }").checks(&[Memory]),
        golden("copy past the end", "unsafe", "char a[4], b[8]; int main(void) { memcpy(a, b, __VERIFIER_nondet_uint() & 7); }").checks(&[Memory]),
        golden("copy up to the end", "safe", "char a[7], b[8]; int main(void) { memcpy(a, b, __VERIFIER_nondet_uint() & 7); }").checks(&[Memory]),
        golden("everything at once", "safe", "int a[8]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 1 || i > 7) return 0;
            a[i] = 64 / i << i; return a[i - 1]; }").checks(&[Memory, Overflow, Div, Shift]),
    ]);
}

#[test]
fn undefined_behaviour() {
    check(&[
        golden("a null pointer is read", "safe where defined", "int main(void) { int *p = 0; __VERIFIER_assert(*p == 1); }"),
        golden("a null pointer is read, sometimes", "safe where defined", "int main(void) { int x = 1, *p = __VERIFIER_nondet_int() ? &x : 0;
            __VERIFIER_assert(*p == 1); }"),
        golden("out of bounds into nothing", "safe where defined", "int a[4]; int main(void) { int i = __VERIFIER_nondet_int();
            __VERIFIER_assert(a[i] == 0); }"),
        golden("out of bounds of a member array, inside of the struct", "unsafe", "struct s { int a[2]; int b; } x = { { 0, 0 }, 7 };
            int main(void) { unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i <= 2); __VERIFIER_assert(x.a[i] == 0); }"),
        golden("a local that is gone is read", "safe where defined", "int *f(void) { int x = 3; int *p = &x; return p; }
            int main(void) { __VERIFIER_assert(*f() == 3); }"),
        golden("a call through null", "safe where defined", "int main(void) { int (*f)(void) = 0; __VERIFIER_assert(f() == 1); }"),
        golden("a call with other types", "safe where defined", "int f(int x) { return x; } int main(void) {
            long (*g)(char *) = (long (*)(char *))f; __VERIFIER_assert(g(0) == 0); }"),
        golden("undefined, and a check fails on another path", "unsafe", "int main(void) { int x = __VERIFIER_nondet_int(), *p = 0;
            if (x == 1) __VERIFIER_assert(*p == 0); else __VERIFIER_assert(x != 2); }"),
        golden("undefined beyond an assumption", "safe", "int main(void) { int x = 1, *p = __VERIFIER_nondet_int() ? &x : 0;
            __VERIFIER_assume(p != 0); __VERIFIER_assert(*p == 1); }"),
    ]);
}

#[test]
fn freed_memory() {
    check(&[
        golden("freed memory is read", "safe where defined", "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; free(p);
            __VERIFIER_assert(*p == 1); }"),
        golden("freed in a callee", "safe where defined", "void drop(int *p, int c) { if (c) free(p); } int main(void) { int *p = malloc(4); if (!p) return 0;
            *p = 3; drop(p, __VERIFIER_nondet_int()); __VERIFIER_assert(*p == 3); }"),
    ]);
}

#[test]
fn values_that_nobody_set() {
    check(&[
        golden("an uninitialised local", "unsafe", "int main(void) { int x; __VERIFIER_assert(x == 0); }"),
        golden(
            "an uninitialised local is one value",
            "safe",
            "int main(void) { int x; int y = x; __VERIFIER_assert(y == x); }",
        ),
        golden(
            "set on one path only",
            "unsafe",
            "int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; __VERIFIER_assert(x == 1); }",
        ),
        golden(
            "uninitialised memory is one value",
            "safe",
            "int main(void) { int a[4]; int i = __VERIFIER_nondet_uchar() & 3;
            int x = a[i]; __VERIFIER_assert(x == a[i]); }",
        ),
        golden(
            "uninitialised memory is any value",
            "unsafe",
            "int main(void) { int a[4]; int i = __VERIFIER_nondet_uchar() & 3;
            __VERIFIER_assert(a[i] != 1234567); }",
        ),
        golden(
            "memory from malloc",
            "unsafe",
            "int main(void) { unsigned char *p = malloc(2); if (!p) return 0;
            __VERIFIER_assert(p[0] != 77 || p[1] != 78); }",
        ),
        golden(
            "memory from calloc",
            "safe",
            "int main(void) { int *p = calloc(2, 4); if (!p) return 0;
            __VERIFIER_assert(p[0] == 0 && p[1] == 0); }",
        ),
        golden(
            "each iteration's own",
            "unsafe",
            "int main(void) { int s = 0; for (int i = 0; i < 2; i++) { int x; if (i) s = x == 1; }
            __VERIFIER_assert(!s); }",
        ),
        golden(
            "globals are zero",
            "safe",
            "int g; struct { int a; char *p; } s; double d; int main(void) {
            __VERIFIER_assert(g == 0 && s.a == 0 && s.p == 0 && d == 0.0); }",
        ),
        golden("an extern global", "unsafe", "extern int g; int main(void) { __VERIFIER_assert(g == 0); }"),
        golden(
            "an extern global keeps its value",
            "safe",
            "extern int g; int f(void) { return g; } int main(void) { int x = f();
            __VERIFIER_assert(f() == x && g == x); g = 3; __VERIFIER_assert(f() == 3); }",
        ),
        golden(
            "an extern array keeps its value",
            "safe",
            "extern int g[8]; int f(int i) { return g[i]; } int main(void) {
            int i = __VERIFIER_nondet_uchar() & 7; int x = f(i); __VERIFIER_assert(f(i) == x); }",
        ),
    ]);
}
