//! Safe programs, each with edits that make it fail.

use ir::CheckKind;

pub struct Family {
    pub name: &'static str,
    pub text: &'static str,
    pub checks: &'static [CheckKind],
    /// Each makes another program, which has a failing run: what is replaced, where it occurs first, and by
    /// what.
    pub edits: &'static [(&'static str, &'static str)],
}

impl Family {
    pub fn edited(&self, (from, to): (&str, &str)) -> String {
        assert!(self.text.contains(from), "{}: there is no {from}", self.name);
        self.text.replacen(from, to, 1)
    }
}

pub const FAMILIES: &[Family] = &[
    Family {
        name: "count",
        text: "int main(void) {
            int i = 0, n = 0;
            while (i < 6) { i++; n += 2; }
            if (n != 12) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[("i < 6", "i < 7"), ("n += 2", "n += 3"), ("n != 12", "n == 12"), ("n = 0", "n = 1")],
    },
    Family {
        name: "inputs",
        text: "int main(void) {
            int n = __VERIFIER_nondet_int(), s = 0;
            __VERIFIER_assume(n >= 0 && n <= 4);
            for (int i = 0; i < n; i++) { s += i; if (s > 2) break; }
            if (s > 3) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[("s > 3", "s > 0"), ("s += i", "s += 2 * i + 4"), ("s = 0", "s = 4"), ("s > 3", "n == 2")],
    },
    Family {
        name: "endless",
        text: "int state = 1, seen;
        int main(void) {
            while (1) {
                int in = __VERIFIER_nondet_int();
                if (state == 1 && in == 1) state = 2;
                else if (state == 2 && in == 0) { state = 3; seen = 1; }
                else if (state == 3) { state = 1; seen = 0; }
                if (state == 3 && seen != 1) __VERIFIER_error();
                if (state > 3) __VERIFIER_error();
            }
        }",
        checks: &[],
        edits: &[
            ("seen = 1;", ""),
            ("state = 1; seen = 0", "state = 4; seen = 0"),
            ("state > 3", "state > 2"),
            ("seen != 1", "seen != 0"),
        ],
    },
    Family {
        name: "calls",
        text: "int total, calls;
        int add(int k) {
            if (k < 0) __VERIFIER_error();
            total = total + k;
            calls++;
            return total;
        }
        int main(void) {
            int r = add(3);
            r = add(r + 1);
            if (total != 7 || r != total || calls != 2) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[
            ("calls++", "calls += 2"),
            ("add(3)", "add(-3)"),
            ("r + 1", "r"),
            ("return total", "return k"),
        ],
    },
    Family {
        name: "recursion",
        text: "int down(int n) {
            if (n <= 0) return 0;
            int r = down(n - 1);
            return r + 1;
        }
        int main(void) {
            int r = down(4);
            if (r != 4) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[("r + 1", "r + 2"), ("n <= 0", "n <= 1"), ("down(4)", "down(5)"), ("n - 1", "n - 2")],
    },
    Family {
        name: "nested",
        text: "int main(void) {
            int s = 0;
            for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) s++;
            if (s != 6) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[("i < 3", "i < 4"), ("j < 2", "j < 3"), ("s++", "s += j"), ("s != 6", "s >= 6")],
    },
    // Widened, with an invariant.
    Family {
        name: "log",
        text: "int log[8]; unsigned used;
        int main(void) {
            while (1) {
                int in = __VERIFIER_nondet_int();
                if (in == 0) continue;
                log[used] = in;
                used++;
                if (used == 8) used = 0;
            }
        }",
        checks: &[CheckKind::Memory],
        edits: &[
            ("used == 8", "used == 9"),
            ("log[used]", "log[used + 1]"),
            ("used == 8", "used > 8"),
            ("log[8]", "log[7]"),
        ],
    },
    // A refutation of some length.
    Family {
        name: "adds",
        text: "int main(void) {
            int s = 0;
            for (int i = 0; i < 4; i++) s += __VERIFIER_nondet_int() & 1;
            if (s > 4) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[("s > 4", "s > 3"), ("i < 4", "i < 5"), ("& 1", "& 2"), ("s = 0", "s = 1")],
    },
    // Values that have to be divided.
    Family {
        name: "levels",
        text: "int level = 50;
        int main(void) {
            while (1) {
                int in = __VERIFIER_nondet_int();
                if (in == 1 && level <= 100) level = level % 70 + 200;
                else if (in == 2 && level > 100) level = level * 3 - 1200;
                else if (in == 0 && level > 0 && level < 100) level++;
                if (level > 300) __VERIFIER_error();
            }
        }",
        checks: &[],
        edits: &[
            ("% 70 + 200", "% 70 + 270"),
            ("level > 300", "level > 250"),
            ("level * 3 - 1200", "level * 3 - 300"),
            ("level++", "level += 260"),
        ],
    },
    // A copy of unknown length.
    Family {
        name: "copy",
        text: "extern void *memcpy(void *, const void *, unsigned long);
        char from[16], to[12];
        int main(void) {
            unsigned n = __VERIFIER_nondet_int() & 3, m = 1;
            for (unsigned i = 0; i < n; i++) { memcpy(to, from, m); m *= 2; }
            if (m > 8) __VERIFIER_error();
            return 0;
        }",
        checks: &[CheckKind::Memory],
        edits: &[("m = 1", "m = 4"), ("m *= 2", "m *= 4"), ("to[12]", "to[3]"), ("m > 8", "m > 1")],
    },
    // Executions that end before their time.
    Family {
        name: "ends",
        text: "int f(int x) { if (x > 3) abort(); if (x < 0) exit(1); return x; }
        int main(void) {
            int x = f(__VERIFIER_nondet_int()), i = 0;
            while (x > 0) { x--; i++; }
            if (i > 3 || x != 0) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[("x < 0", "x < -1"), ("i++", "i += 2"), ("i > 3", "i == 1"), ("x--", "x -= 2")],
    },
    Family {
        name: "pointers",
        text: "int a[4] = {1, 2, 3}, *last = a;
        void set(int *p, int v) { *p = v; last = p; }
        int main(void) {
            int i = __VERIFIER_nondet_int() & 1;
            set(&a[i], 7);
            set(a + 2, 5);
            if (a[i] != 7 || *last != 5 || a[3] != 0) __VERIFIER_error();
            return 0;
        }",
        checks: &[],
        edits: &[("last = p;", ""), ("a + 2", "a + 3"), ("& 1", "& 3"), ("*p = v", "p[1] = v")],
    },
    Family {
        name: "overflow",
        text: "int main(void) {
            signed char n = 0;
            int k = 1;
            while (n < 20) { n++; if (k < 1 << 29) k = k + k; }
            return k;
        }",
        checks: &[CheckKind::Overflow],
        edits: &[
            ("k = k + k", "k = k * k + 2"),
            ("k = k + k", "k = k * 11"),
            ("k = 1", "k = -5 * (1 << 28)"),
            ("int k = 1", "int k = -2147483647 - 1"),
        ],
    },
    Family {
        name: "heap",
        text: "int main(void) {
            int n = 0, *p = malloc(4);
            while (n < 3) { int *q = malloc(4); *q = *p; free(p); p = q; n++; if (n == 1) *p = 1; }
            if (*p != 1) __VERIFIER_error();
            free(p);
            return 0;
        }",
        checks: &[CheckKind::Memory],
        edits: &[
            ("free(p);", "free(q);"),
            ("p = q;", ""),
            ("n == 1", "n == 4"),
            ("malloc(4);\n", "malloc(2);\n"),
        ],
    },
];

/// The edits do what they are for, and what is not edited does not fail.
#[test]
fn families() {
    use crate::made::compile;
    use testing::known::runs::failing;
    let mut wrong = Vec::new();
    for family in FAMILIES {
        if let Some(run) = failing(&compile(family.text, family.checks)) {
            wrong.push(format!("{} fails with {:?}", family.name, run.inputs));
        }
        for edit in family.edits {
            if failing(&compile(&family.edited(*edit), family.checks)).is_none() {
                wrong.push(format!("{} does not fail with {edit:?}", family.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
