//! Small programs with known verdicts: pointers, arrays, structs.

use crate::golden::{Golden, check, golden};

#[test]
fn memory() {
    check(MEMORY);
}

#[test]
fn outside() {
    check(OUTSIDE);
}

pub const MEMORY: &[Golden] = &[
    golden("a pointer to a local", "safe", "void set(int *p, int v) { *p = v; } int main(void) { int x = 0; set(&x, 5); __VERIFIER_assert(x == 5); }"),
    golden("a pointer to a local, wrong", "unsafe", "void set(int *p, int v) { if (v > 3) *p = v; } int main(void) { int x = 0; set(&x, __VERIFIER_nondet_int()); __VERIFIER_assert(x != 4); }"),
    golden("a pointer to one of two", "unsafe", "int main(void) { int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y; *p = 3; __VERIFIER_assert(x == 1); }"),
    golden("a pointer to one of two, right", "safe", "int main(void) { int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y; *p = 3; __VERIFIER_assert(x == 1 || y == 2); }"),
    golden("a pointer to a global", "safe", "int g = 4, h = 9, *p = &g; void up(void) { (*p)++; } int main(void) { up(); up(); __VERIFIER_assert(g == 6 && h == 9); }"),
    golden("a pointer that moves on", "unsafe", "int x, y, z, *p = &x; int main(void) { while (__VERIFIER_nondet_int()) { if (p == &y) p = &z; else if (p == &x) p = &y; }
            *p = 1; __VERIFIER_assert(z == 0); }"),
    golden("addresses of two objects", "safe", "int main(void) { int a, b, *p = &a, *q = &b; __VERIFIER_assert(p != q); }"),
    golden("addresses of two objects, one of them accessed", "safe", "int a, b; int same(int *p, int *q) { return p == q; } int main(void) { b = same(&a, &b); __VERIFIER_assert(!b); }"),
    golden("addresses of two objects, wrong", "unsafe", "int main(void) { int a, b, *p = &a, *q = __VERIFIER_nondet_int() ? &a : &b; __VERIFIER_assert(p != q); }"),
    golden("exchange", "safe", "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) { int x = 1, y = 2; swap(&x, &y); __VERIFIER_assert(x == 2 && y == 1); }"),
    golden("exchange of one with itself", "unsafe", "void add(int *a, int *b) { *a += 1; *b += 1; } int main(void) { int x = 1, y = 1; int *q = __VERIFIER_nondet_int() ? &x : &y; add(&x, q); __VERIFIER_assert(x == 2); }"),
    golden("an array at constant places", "safe", "int main(void) { int a[3]; a[0] = 1; a[1] = 2; a[2] = a[0] + a[1]; __VERIFIER_assert(a[2] == 3); }"),
    golden("an array at a variable place", "unsafe", "int main(void) { int a[4] = { 0, 1, 2, 3 }; unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 4); a[i] = 9; __VERIFIER_assert(a[2] == 2); }"),
    golden("an array at a variable place, right", "safe", "int main(void) { int a[4] = { 0, 1, 2, 3 }; unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 4 && i != 2); a[i] = 9; __VERIFIER_assert(a[2] == 2); }"),
    golden("an array filled in a loop", "safe?", "int a[5]; int main(void) { for (int i = 0; i < 5; i++) a[i] = i; __VERIFIER_assert(a[3] == 3); }"),
    golden("an array filled in a loop, wrong", "unsafe", "int a[5]; int main(void) { for (int i = 0; i < 4; i++) a[i] = i + 1; __VERIFIER_assert(a[4] != 0); }"),
    golden("a global array is zero", "safe", "int a[3]; int main(void) { unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 3); __VERIFIER_assert(a[i] == 0); }"),
    golden("a constant table", "safe", "const int t[4] = { 3, 1, 4, 1 }; int get(unsigned i) { return t[i & 3]; } int main(void) { __VERIFIER_assert(get(2) == 4); }"),
    golden("a struct", "safe", "struct p { int x, y; }; int main(void) { struct p a = { 1, 2 }, *q = &a; q->y += q->x; __VERIFIER_assert(a.y == 3); }"),
    golden("a struct that is passed and returned", "safe", "struct p { int x, y; }; struct p turn(struct p a) { struct p b = { a.y, a.x }; a.x = 0; return b; }
            int main(void) { struct p a = { __VERIFIER_nondet_int(), 2 }; struct p b = turn(a); __VERIFIER_assert(b.y == a.x && b.x == 2); }"),
    golden("an array of structs", "unsafe", "struct p { int k; short v; } s[2] = { { 1, 2 }, { 3, 4 } }; int main(void) { int i = __VERIFIER_nondet_int() & 1; s[i].v = 7; __VERIFIER_assert(s[1].v == 4); }"),
    golden("bytes of an int", "unsafe", "int main(void) { int x = 0; unsigned char *p = (unsigned char *)&x; p[1] = __VERIFIER_nondet_uchar(); __VERIFIER_assert(x != 256); }"),
    golden("bytes of an int, right", "safe?", "int main(void) { int x = 0; unsigned char *p = (unsigned char *)&x; p[1] = 1; __VERIFIER_assert(x == 256); }"),
    golden("a union", "safe?", "union u { int i; unsigned char c[4]; }; int main(void) { union u a; a.i = 0; a.c[0] = 3; __VERIFIER_assert(a.i == 3); }"),
    golden("a local in memory has no value", "unsafe?", "void set(int *p, int v) { if (v) *p = v; } int f(int v) { int x; set(&x, v); return x; } int main(void) { f(7); __VERIFIER_assert(f(0) == 7); }"),
    golden("a local in memory has no value, the other way", "unsafe?", "void set(int *p, int v) { if (v) *p = v; } int f(int v) { int x; set(&x, v); return x; } int main(void) { f(7); __VERIFIER_assert(f(0) != 7); }"),
    golden("a local array in a function called twice", "unsafe", "int f(int i, int v) { int a[2]; if (v) a[i & 1] = v; return a[0]; } int main(void) { f(0, 5); __VERIFIER_assert(f(1, 3) == 5); }"),
    golden("an initialised local in memory, called twice", "safe", "void up(int *p) { (*p)++; } int f(void) { int x = 0; up(&x); return x; } int main(void) { f(); __VERIFIER_assert(f() == 1); }"),
    golden("a pointer through two functions", "safe", "void c(int *p) { *p = 3; } void b(int *p) { c(p); (*p)++; } int main(void) { int x = 0, y = 8; b(&x); __VERIFIER_assert(x == 4 && y == 8); }"),
    golden("the address is kept", "unsafe", "int *kept; void keep(int *p) { kept = p; } void use(void) { *kept = 6; } int main(void) { int x = 1; keep(&x); use(); __VERIFIER_assert(x == 1); }"),
    golden("two arrays", "safe", "int a[2], b[2]; void set(int *p, int i, int v) { p[i & 1] = v; } int main(void) { set(a, 0, 1); set(b, 0, 2); __VERIFIER_assert(a[0] == 1 && b[0] == 2); }"),
    golden("copies", "safe?", "int main(void) { int a[2] = { 1, 2 }, b[2]; memcpy(b, a, sizeof a); a[0] = 9; __VERIFIER_assert(b[0] == 1); }"),
    golden("fills", "safe?", "int main(void) { unsigned char a[4]; memset(a, 7, 4); __VERIFIER_assert(a[3] == 7); }"),
    golden("the heap", "safe?", "int main(void) { int *p = malloc(4), *q = malloc(4); if (!p || !q) return 0; *p = 1; *q = 2; __VERIFIER_assert(*p == 1); }"),
    golden("the heap, wrong", "unsafe?", "int main(void) { int *p = malloc(4); if (!p) return 0; __VERIFIER_assert(*p == 1); }"),
    golden("a loop that writes through a pointer", "safe", "void zero(int *p) { *p = 0; } int main(void) { int x = 7, n = __VERIFIER_nondet_int(); while (n > 0) { zero(&x); n--; } __VERIFIER_assert(x == 7 || x == 0); }"),
    golden("pointers compared", "safe?", "int a, b; int main(void) { int *p = &a, *q = &b; __VERIFIER_assert(p != q && p == &a); }"),
    golden("two in memory of one name", "safe", "void set(int *p, int v) { *p = v; } int main(void) { int x = 1; set(&x, 2); { int x = 3; set(&x, 4); __VERIFIER_assert(x == 4); } __VERIFIER_assert(x == 2); }"),
    golden("two in memory of one name, wrong", "unsafe", "void set(int *p, int v) { *p = v; } int main(void) { int x = 1; set(&x, 2); { int x = 3; set(&x, 4); } __VERIFIER_assert(x == 4); }"),
    golden("a global and a local in memory of one name", "unsafe", "int x; int *q = &x; void set(int *p, int v) { *p = v; } int main(void) { int x = 1; set(q, 5); set(&x, 2); __VERIFIER_assert(*q == 2); }"),
    golden("pointers from outside, counted", "safe", "extern void *from_outside(void); int state; struct dev { void *a, *b, *c; };
            void *get(void) { void *p = from_outside(); if (p) state++; return p; } void put(void *p) { if (p) { __VERIFIER_assert(state >= 1); state--; } }
            int probe(struct dev *d) { d->a = get(); d->b = get(); d->c = get(); if (!d->a || !d->b || !d->c) { put(d->a); put(d->b); put(d->c); return -1; } return 0; }
            int main(void) { struct dev d; if (probe(&d)) { __VERIFIER_assert(state == 0); return 0; } put(d.a); put(d.b); put(d.c); __VERIFIER_assert(state == 0); }"),
    golden("pointers from outside, counted wrongly", "unsafe", "extern void *from_outside(void); int state; struct dev { void *a, *b, *c; };
            void *get(void) { void *p = from_outside(); if (p) state++; return p; } void put(void *p) { if (p) { __VERIFIER_assert(state >= 1); state--; } }
            int probe(struct dev *d) { d->a = get(); d->b = get(); d->c = get(); if (!d->a || !d->b || !d->c) { put(d->a); put(d->b); put(d->a); return -1; } return 0; }
            int main(void) { struct dev d; if (probe(&d)) { __VERIFIER_assert(state == 0); return 0; } put(d.a); put(d.b); put(d.c); __VERIFIER_assert(state == 0); }"),
    golden("a null pointer", "safe", "int x; int *find(int n) { return n > 3 ? &x : 0; } int main(void) { int n = __VERIFIER_nondet_int(), *p = find(n); if (p) *p = 1; __VERIFIER_assert(n > 3 || p == 0); }"),
];

/// What nobody in the program made or wrote: runs need objects and content for it.
pub const OUTSIDE: &[Golden] = &[
    golden(
        "a struct from outside",
        "unsafe",
        "struct s { int a; long b; }; extern struct s *get(void); int main(void) { struct s *p = get(); if (!p) return 0; __VERIFIER_assert(p->a != 7 || p->b != 9); }",
    ),
    golden(
        "a pointer from outside as a number",
        "unsafe",
        "struct s { int a; int b; }; extern unsigned long get(void); int main(void) { struct s *p = (struct s *)get(); if (!p) return 0; __VERIFIER_assert(p->b != 7); }",
    ),
    golden(
        "an index from outside",
        "unsafe",
        "struct s { unsigned head, q[16]; }; extern struct s *get(void); int main(void) { struct s *p = get(); if (!p || p->head % 7 != 3) return 0; p->q[p->head] = 5; __VERIFIER_assert(p->q[p->head] != 5); }",
    ),
    golden(
        "a struct from outside that is written",
        "unsafe",
        "struct s { int a; int b; }; extern struct s *get(void); int main(void) { struct s *p = get(); if (!p) return 0; p->a = 3; __VERIFIER_assert(p->a + p->b != 8); }",
    ),
    golden(
        "a struct from outside that is written, right",
        "safe",
        "struct s { int a; int b; }; extern struct s *get(void); int main(void) { struct s *p = get(); if (!p) return 0; int b = p->b; p->a = 3; __VERIFIER_assert(p->a + p->b == b + 3 || b > 100 || b < -100); }",
    ),
    golden(
        "a list from outside",
        "unsafe",
        "struct s { struct s *next; int v; }; extern struct s *get(void); int main(void) { struct s *p = get(); if (!p || !p->next || !p->next->next) return 0; __VERIFIER_assert(p->v != 1 || p->next->v != 2 || p->next->next->v != 3); }",
    ),
    golden(
        "a ring from outside",
        "unsafe",
        "struct s { struct s *next; int v; }; extern struct s *get(void); int main(void) { struct s *p = get(); if (!p || p->next == p || !p->next) return 0; __VERIFIER_assert(p->next->next != p || p->v != 5); }",
    ),
    golden(
        "pointers from outside are the same",
        "unsafe",
        "extern int *get(void); int main(void) { int *p = get(), *q = get(); if (!p || !q) return 0; *p = 1; *q = 2; __VERIFIER_assert(*p == 1); }",
    ),
    golden(
        "pointers from outside differ",
        "unsafe",
        "extern int *get(void); int main(void) { int *p = get(), *q = get(); if (!p || !q) return 0; *p = 1; *q = 2; __VERIFIER_assert(*p == 2); }",
    ),
    golden(
        "pointers from outside of two types",
        "unsafe",
        "extern int *get(void); extern char *text(void); int main(void) { int *p = get(); char *q = text(); if (!p || !q) return 0; __VERIFIER_assert(*p != 1000 || *q != 'x'); }",
    ),
    golden(
        "an array from elsewhere",
        "unsafe",
        "extern int a[10]; int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i >= 10) return 0; __VERIFIER_assert(i < 3 || a[i] != 42); }",
    ),
    golden(
        "a pointer from elsewhere",
        "unsafe",
        "extern int *p; int main(void) { if (!p) return 0; __VERIFIER_assert(*p != 6); }",
    ),
    golden(
        "the content of new memory",
        "unsafe",
        "int main(void) { int *p = malloc(8); if (!p) return 0; p[0] = 1; __VERIFIER_assert(p[1] != 77); }",
    ),
    golden(
        "the content of the second new object",
        "unsafe",
        "extern int *get(void); int main(void) { int *o = get(), *p = malloc(4), *q = malloc(4); if (!p || !q || !o) return 0; *p = 1; __VERIFIER_assert(*q != 77 || *o != 78); }",
    ),
    golden(
        "the content of a local in the second call",
        "unsafe",
        "void see(int *p) { } int f(void) { int x; see(&x); return x; } int main(void) { int a = f(), b = f(); __VERIFIER_assert(a != 3 || b != 33); }",
    ),
    golden(
        "a global from outside",
        "unsafe",
        "int g, h; extern int *get(void); int main(void) { int *p = get(); g = 1; if (p == &g) __VERIFIER_assert(h); }",
    ),
    golden(
        "a pointer from outside that means an error",
        "unsafe",
        "extern int *get(void); int main(void) { int *p = get(); __VERIFIER_assert((unsigned long)p < -4095ul); }",
    ),
    golden(
        "what no check depends on follows pointers",
        "unsafe",
        "struct s { struct s *next; int v; }; extern struct s *get(void); int seen; int main(void) { int x = __VERIFIER_nondet_int(); struct s *p = get(); if (p) seen = p->next->v; __VERIFIER_assert(!p || x != 3); }",
    ),
    golden(
        "back from a member",
        "unsafe",
        "struct s { int a; int m; }; extern int *get(void); int main(void) { int *m = get(); if (!m) return 0; struct s *p = (struct s *)((char *)m - sizeof(int)); __VERIFIER_assert(p->a != 5 || *m != 6); }",
    ),
];
