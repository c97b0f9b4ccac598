//! Small programs about rounds of loops: short ways beside long ones, ways that never end, several entries;
//! and paths that meet where nobody is.

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

/// Scanners inside of scanners, and a parser that calls itself: all bounds together are far more than what
/// the input allows.
#[test]
fn rounds_that_nobody_makes_are_not_followed() {
    let scan = "int skip(const char *s, int i, int n) { while (i < n && s[i] == ' ') i++; return i; }
        int word(const char *s, int i, int n) { while (i < n && s[i] != ' ') i++; return skip(s, i, n); }
        int line(const char *s, int i, int n) { while (i < n && s[i] != '|') i = word(s, skip(s, i, n), n);
            if (i < n) i++; return i; }
        int main(void) { char s[5]; int words = 0, i = 0;
            for (int k = 0; k < 5; k++) s[k] = __VERIFIER_nondet_char();
            while (i < 5) { int j = line(s, i, 5); if (j == i) break; i = j; words++; }
            __VERIFIER_assert(words WORDS && i <= 5); return 0; }";
    let parser = "char s[5]; int i;
        int value(void) { if (s[i] == '(') { i++; int v = value(); if (s[i] != ')') return -1; i++; return v; }
            if (s[i] == '-') { i++; return value(); } if (s[i] == 'x') { i++; return 1; } return -1; }
        int main(void) { for (int k = 0; k < 4; k++) s[k] = __VERIFIER_nondet_char();
            int v = value(); __VERIFIER_assert(i BOUND); return v; }";
    let (safe, many) = (scan.replace("WORDS", "<= 5"), scan.replace("WORDS", "< 4"));
    let (inside, short) = (parser.replace("BOUND", "<= 4"), parser.replace("BOUND", "< 4"));
    check(&[
        golden("words of a text", "safe", safe.leak()).checks(&[CheckKind::Memory, CheckKind::Overflow]),
        golden("more words than expected", "unsafe", many.leak()),
        golden("a parser", "safe", inside.leak()).checks(&[CheckKind::Memory]),
        golden("a parser that comes further", "unsafe", short.leak()),
    ]);
}

/// Copies of unknown length take as many bytes as an execution can copy; what starts with null has an end,
/// too.
#[test]
fn copies_of_unknown_length() {
    let text = "void *malloc(unsigned long); void free(void *); void *memcpy(void *, const void *, unsigned long);
        int main(void) { char in[6] = \"abcde\"; unsigned n = __VERIFIER_nondet_uint() % 7, k = 0; char *s = 0;
            if (n > FROM) { k = n / 2; s = malloc(n); memcpy(s, in, k); }
            char *end = s + k; memcpy(end, in, n - k);
            if (n == 5) __VERIFIER_assert(s[4] LETTER); free(s); return 0; }";
    let [safe, null, wrong] = [("0", "== 'c'"), ("1", "== 'c'"), ("0", "== 'd'")]
        .map(|(from, letter)| &*text.replace("FROM", from).replace("LETTER", letter).leak());
    check(&[
        golden("the rest of a text", "safe", safe).checks(&[CheckKind::Memory]),
        golden("a byte to null", "unsafe", null).checks(&[CheckKind::Memory]),
        golden("another letter", "unsafe", wrong),
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
