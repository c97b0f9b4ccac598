//! Small programs about rounds of loops: short ways beside long ones, ways that never end, several entries; and paths that meet where
//! nobody is.

use crate::golden::{check, golden};
use ir::CheckKind;

#[test]
fn bounds_count_rounds() {
    let stopped = "int pc, stopped; int main(void) { while (1) { if (stopped == 0) {
        if (__VERIFIER_nondet_int()) stopped = 1;
        if (__VERIFIER_nondet_int()) { if (pc == 1) __VERIFIER_error(); pc = 1; } } } }";
    let long = "int n, m; int main(void) { while (1) { m = m + 1; if (__VERIFIER_nondet_int()) continue;
        if (n == 2) { if (m < 9) __VERIFIER_error(); } n = n + 1; } }";
    let nested = "int n, m; int main(void) { for (;;) { int i = 0;
        while (1) { m = m + 1; if (__VERIFIER_nondet_int()) continue; i++; if (i == 2) break; }
        n = n + i; if (n == 4 && m < 9) __VERIFIER_error(); } }";
    let jumps = "int n; int main(void) { if (__VERIFIER_nondet_int()) goto in;
        while (n < 5) { n = n + 1; in: if (__VERIFIER_nondet_int()) continue; n = n + 2; if (n == 5) __VERIFIER_error(); }
        return 0; }";
    let goes_on =
        "int x; unsigned i; int main(void) { x = __VERIFIER_nondet_int(); if (x == 7) __VERIFIER_error();
        while (1) { i = i + 1; if (i == 0) __VERIFIER_error(); } }";
    check(&[
        golden("stopped", "unsafe", stopped).bound(1),
        golden("the long way, twice", "unknown: safe up to 1", long).bound(1),
        golden("the long way, three times", "unsafe", long).bound(2),
        golden("nested", "unsafe", nested).bound(2),
        golden("a jump into a loop", "unsafe", jumps).bound(1),
        golden("rounds that nobody avoids and that do not end", "unsafe", goes_on),
    ]);
}

#[test]
fn paths_where_nobody_is() {
    let twice = "int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n > 8) return 0;
        int t = (n && !(n & (n - 1))); if (!t) return 0; if (n < 2) return 0;
        t = (n && !(n & (n - 1))); if (!t) return 0; __VERIFIER_error(); return 0; }";
    let calls = "int power(unsigned n) { if (n == 0) return 0; if (n & (n - 1)) return 0; return 1; }
        int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (!power(n)) return 0;
        if (!power(n)) return 0; __VERIFIER_assert(n != 4); return 0; }";
    check(&[
        golden("the same test twice", "unsafe", twice).checks(&[CheckKind::Overflow]),
        golden("the same test twice, without checks", "unsafe", twice),
        golden("the same call twice", "unsafe", calls),
    ]);
}

#[test]
fn widened_loops_with_several_entries() {
    let entries = "int c; int main(void) { int x = __VERIFIER_nondet_int(); if (x) goto in;
        while (1) { c = c < 5 ? c + 1 : 5; in: if (__VERIFIER_nondet_int() == 9) return 0; if (c == 5 && x) __VERIFIER_error(); } }";
    let second = "int n; int main(void) { int x = __VERIFIER_nondet_int(); if (x) goto in;
        while (1) { if (n == 1) __VERIFIER_error(); n = 0; if (x == 2) { in: n = 1; } } }";
    check(&[golden("in the middle", "unsafe", entries), golden("the second round", "unsafe", second)]);
}
