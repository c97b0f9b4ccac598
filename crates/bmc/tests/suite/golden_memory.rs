//! Small programs with known verdicts: arrays, structs, unions, pointers, strings, the heap.

use crate::golden::{check, golden};

#[test]
fn arrays() {
    check(&[
        golden("a variable of a callee that one path sets", "unsafe", "int f(int c) { int x[2], *p = x; if (c) p[0] = 1; return x[0]; }
            int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 1); }"),
        golden("read at an unknown index", "safe", "int a[5] = { 3, 1, 4, 1, 5 }; int main(void) { unsigned i = __VERIFIER_nondet_uint();
            if (i < 5) __VERIFIER_assert(a[i] >= 1 && a[i] <= 5); }"),
        golden("read at an unknown index, wrong", "unsafe", "int a[5] = { 3, 1, 4, 1, 5 }; int main(void) {
            unsigned i = __VERIFIER_nondet_uint(); if (i < 5) __VERIFIER_assert(a[i] != 4); }"),
        golden("write at an unknown index", "safe", "int a[5]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 5,
            j = __VERIFIER_nondet_uint() % 5; a[i] = 7; __VERIFIER_assert(a[j] == (i == j ? 7 : 0)); }"),
        golden("two writes, one wins", "unsafe", "int a[4]; int main(void) { unsigned i = __VERIFIER_nondet_uint() & 3,
            j = __VERIFIER_nondet_uint() & 3; a[i] = 1; a[j] = 2; __VERIFIER_assert(a[i] == 1); }"),
        golden("two dimensions", "safe", "int m[3][4]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 3,
            j = __VERIFIER_nondet_uint() & 3; m[i][j] = 5; int s = 0; for (int a = 0; a < 3; a++) for (int b = 0; b < 4; b++) s += m[a][b];
            __VERIFIER_assert(s == 5); }"),
        golden("structs in arrays", "safe", "struct s { char c; short h[2]; int i; } a[3]; int main(void) {
            unsigned i = __VERIFIER_nondet_uint() % 3; a[i].h[1] = -2; a[i].c = 'x'; __VERIFIER_assert(a[i].h[1] == -2 && a[i].h[0] == 0);
            __VERIFIER_assert(a[0].c + a[1].c + a[2].c == 'x'); }"),
        golden("structs in arrays, wrong", "unsafe", "struct s { char c; short h[2]; int i; } a[3]; int main(void) {
            unsigned i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() & 1; a[i].h[j] = 9;
            __VERIFIER_assert(a[2].h[1] == 0); }"),
        golden("an array sorted", "safe", "int main(void) { int a[3] = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
            for (int i = 0; i < 3; i++) for (int j = 0; j + 1 < 3 - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
            __VERIFIER_assert(a[0] <= a[1] && a[1] <= a[2]); }"),
        golden("an array not quite sorted", "unsafe", "int main(void) { int a[3] = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
            for (int j = 0; j < 2; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
            __VERIFIER_assert(a[0] <= a[1] && a[1] <= a[2]); }"),
        golden("bytes of a larger type at an unknown offset", "safe", "unsigned x = 0x04030201; int main(void) {
            unsigned i = __VERIFIER_nondet_uint() & 3; __VERIFIER_assert(((unsigned char *)&x)[i] == i + 1); }"),
        golden("an unaligned write at an unknown offset", "unsafe", "unsigned char a[8]; int main(void) {
            unsigned i = __VERIFIER_nondet_uint() & 3; unsigned v = 0x11223344; memcpy(a + i, &v, 4); __VERIFIER_assert(a[4] != 0x22); }"),
        golden("array written in a callee at an unknown index", "safe", "void set(int *a, unsigned i, int v) { a[i] = v; }
            int get(const int *a, unsigned i) { return a[i]; } int main(void) { int a[6] = { 0 }; unsigned i = __VERIFIER_nondet_uint() % 6;
            int v = __VERIFIER_nondet_int(); set(a, i, v); __VERIFIER_assert(get(a, i) == v); }"),
        golden("swapped through pointers", "safe", "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) {
            int x[2] = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int() }, y[2]; memcpy(y, x, sizeof x); swap(&x[0], &x[1]);
            __VERIFIER_assert(x[0] == y[1] && x[1] == y[0]); }"),
    ]);
}

#[test]
fn structs_unions_and_pointers() {
    check(&[
        golden("pointer to pointer", "safe", "int main(void) { int x = 1, y = 2, *p = &x, **q = &p; if (__VERIFIER_nondet_int()) *q = &y;
            **q = 9; __VERIFIER_assert((x == 9) != (y == 9) && *p == 9); }"),
        golden("pointer to pointer, wrong", "unsafe", "void move(int **p, int *to) { *p = to; } int main(void) { int x = 1, y = 2, *p = &x;
            if (__VERIFIER_nondet_int() == 8) move(&p, &y); *p = 5; __VERIFIER_assert(y == 2); }"),
        golden("a callee changes one of two objects", "safe", "void put(int *p, int v) { *p = v; } int main(void) { int a = 0, b = 0;
            int c = __VERIFIER_nondet_int(); put(c ? &a : &b, 3); __VERIFIER_assert(a + b == 3 && (a == 3) == (c != 0)); }"),
        golden("two pointers to one object", "unsafe", "int f(int *p, int *q) { *p = 1; *q = 2; return *p; } int main(void) { int a, b;
            __VERIFIER_assert(f(&a, __VERIFIER_nondet_int() ? &b : &a) == 1); }"),
        golden("pointer differences and comparisons", "safe", "int a[9]; int main(void) { int *p = a + (__VERIFIER_nondet_uint() % 9), *q = a + 9;
            __VERIFIER_assert(q - p >= 1 && q - p <= 9 && p < q && p != q); }"),
        golden("pointer and back", "safe", "int main(void) { int x = 4; unsigned long n = (unsigned long)&x; n += 0; *(int *)n = 5;
            __VERIFIER_assert(x == 5); }"),
        golden("union of int and bytes", "safe", "union u { unsigned i; unsigned char b[4]; }; int main(void) { union u u;
            u.i = __VERIFIER_nondet_uint(); __VERIFIER_assert((u.b[0] | u.b[1] << 8 | u.b[2] << 16 | (unsigned)u.b[3] << 24) == u.i); }"),
        golden("union of float and int", "safe", "union u { float f; unsigned i; }; int main(void) { union u u; u.f = 1.0f;
            __VERIFIER_assert(u.i == 0x3f800000); u.i = 0xc0000000; __VERIFIER_assert(u.f == -2.0f); }"),
        golden("part of a union overwritten", "unsafe", "union u { int i; char c; }; int main(void) { union u u; u.i = 0x01020304;
            u.c = __VERIFIER_nondet_char(); __VERIFIER_assert(u.i != 0x01020377); }"),
        golden("bit-fields", "safe", "struct b { unsigned a : 3; int s : 4; unsigned c : 9; } b; int main(void) { unsigned x = __VERIFIER_nondet_uint();
            b.a = x; b.c = 300; b.s = -3; __VERIFIER_assert(b.a == (x & 7) && b.c == 300 && b.s == -3); }"),
        golden("bit-fields wrap", "unsafe", "struct b { unsigned a : 3; unsigned c : 5; } b; int main(void) {
            for (int n = __VERIFIER_nondet_uchar() & 15; n > 0; n--) b.a++; __VERIFIER_assert(b.a != 1 || b.c); }"),
        golden("assignment of structs", "safe", "struct s { int a[3]; struct { char c; } in; }; int main(void) {
            struct s x = { { 1, 2, 3 }, { 'q' } }, y; y = x; x.a[1] = 0; __VERIFIER_assert(y.a[1] == 2 && y.in.c == 'q' && x.a[1] == 0); }"),
        golden("a struct copied at an unknown index", "safe", "struct s { int a; char c; } t[3] = { { 1, 'a' }, { 2, 'b' }, { 3, 'c' } };
            int main(void) { unsigned i = __VERIFIER_nondet_uint() % 3; struct s x = t[i], *p = &x; __VERIFIER_assert(p->c - 'a' == p->a - 1); }"),
        golden("a list on the stack", "safe", "struct n { int v; struct n *next; }; int main(void) { struct n c = { 3, 0 }, b = { 2, &c }, a = { 1, &b };
            int s = 0; for (struct n *p = &a; p; p = p->next) s += p->v; __VERIFIER_assert(s == 6); }"),
        golden("pointers between globals", "safe", "extern int y; int *const p = &y, **q = (int **)&p; int y = 3; int main(void) {
            **q = 4; __VERIFIER_assert(y == 4); }"),
        golden("initialisers", "safe", "struct s { int a, b; } x[3] = { [1] = { .b = 5 }, [2].a = 6 }; char t[] = \"hi\"; const char *u[2] = { \"ab\", t + 1 };
            int main(void) { __VERIFIER_assert(x[0].a == 0 && x[1].b == 5 && x[2].a == 6 && sizeof t == 3 && u[1][0] == 'i' && u[0][1] == 'b'); }"),
    ]);
}

#[test]
fn heap_and_strings() {
    check(&[
        golden("malloc gives memory", "safe", "int main(void) { int *p = malloc(4); __VERIFIER_assert(p != 0); }"),
        golden("a list on the heap", "safe", "struct n { int v; struct n *next; }; int main(void) { struct n *head = 0; int sum = 0;
            for (int i = 0; i < 3; i++) { struct n *p = malloc(sizeof *p); if (!p) exit(0); p->v = i; p->next = head; head = p; }
            while (head) { struct n *p = head; head = p->next; sum += p->v; free(p); } __VERIFIER_assert(sum == 3); }"),
        golden("a list of unknown length", "unsafe", "struct n { int v; struct n *next; }; int main(void) { struct n *head = 0; int len = 0;
            while (__VERIFIER_nondet_int()) { struct n *p = malloc(sizeof *p); if (!p) break; p->next = head; head = p; }
            for (; head; head = head->next) len++; __VERIFIER_assert(len != 3); }"),
        golden("two objects do not overlap", "safe", "int main(void) { int *p = malloc(4), *q = malloc(4); if (!p || !q) return 0;
            *p = 1; *q = 2; __VERIFIER_assert(p != q && *p == 1); }"),
        golden("an object made in a callee", "safe", "int *make(int v) { int *p = malloc(4); if (!p) exit(1); *p = v; return p; }
            int main(void) { int x = __VERIFIER_nondet_int(); int *p = make(x), *q = make(2); __VERIFIER_assert(*p == x && *q == 2 && p != q); }"),
        golden("strlen of constants", "safe", "int main(void) { __VERIFIER_assert(strlen(\"\") == 0 && strlen(\"hello\") == 5); }"),
        golden("strlen of an unknown string", "safe", "int main(void) { char s[4]; for (int i = 0; i < 3; i++) s[i] = __VERIFIER_nondet_char();
            s[3] = 0; __VERIFIER_assert(strlen(s) <= 3); }"),
        golden("strlen of an unknown string, wrong", "unsafe", "int main(void) { char s[4]; for (int i = 0; i < 3; i++) s[i] = __VERIFIER_nondet_char();
            s[3] = 0; __VERIFIER_assert(strlen(s) != 2); }"),
        golden("strcpy and strcmp", "safe", "int main(void) { char b[8]; strcpy(b, \"abc\"); __VERIFIER_assert(strcmp(b, \"abc\") == 0 && strcmp(b, \"abd\") < 0); }"),
        golden("memset of unknown length", "safe", "char a[8]; int main(void) { unsigned n = __VERIFIER_nondet_uint() & 7; memset(a, 1, n);
            int s = 0; for (int i = 0; i < 8; i++) s += a[i]; __VERIFIER_assert(s == (int)n); }"),
        golden("memcpy of unknown length", "unsafe", "char a[8], b[8] = \"abcdefg\"; int main(void) { unsigned n = __VERIFIER_nondet_uint() & 7;
            memcpy(a, b, n); __VERIFIER_assert(a[4] != 'e'); }"),
        golden("memcpy of unknown length to the end", "safe", "char a[8], b[8]; int main(void) { unsigned n = __VERIFIER_nondet_uint() & 3;
            memcpy(a + 4, b, n); memset(a + 4, 1, n); __VERIFIER_assert(a[4] == (n > 0) && a[7] == 0); }"),
        golden("memcpy from the middle of a value", "safe", "int a[2] = { 0x04030201, 0x08070605 }; unsigned char b[8]; int main(void) {
            a[0] += __VERIFIER_nondet_int() & 1; memcpy(b, (char *)a + 1, 3); memcpy(b + 3, (char *)a + 1, 5);
            __VERIFIER_assert(b[0] == 2 && b[2] == 4 && b[3] == 2 && b[6] == 5 && b[7] == 6); }"),
        golden("memcpy from before the start", "safe where defined", "int a[2], b[4]; int main(void) { a[0] = __VERIFIER_nondet_int();
            memcpy(b, (char *)a - 1, 8); __VERIFIER_assert(b[1] == 0); }"),
        golden("memcpy of a struct with a pointer", "safe", "struct s { int *p; int n; }; int main(void) { int x = 1; struct s a = { &x, 2 }, b;
            memcpy(&b, &a, sizeof a); *b.p = 7; __VERIFIER_assert(x == 7 && b.n == 2); }"),
        golden("memmove overlaps", "safe", "char a[6] = \"abcde\"; int main(void) { memmove(a + 1, a, 4); __VERIFIER_assert(a[0] == 'a' && a[1] == 'a' && a[4] == 'd'); }"),
        golden("pointers from outside", "unsafe", "struct dev { int state; }; extern struct dev *find(void); int main(void) { struct dev *d = find();
            if (d) __VERIFIER_assert(d->state == 0); }"),
        golden("pointers from outside keep what is written", "safe", "struct dev { int state; }; extern struct dev *find(void);
            int main(void) { struct dev *d = find(); if (!d) return 0; d->state = 3; __VERIFIER_assert(d->state == 3); }"),
        golden("errors as pointers", "unsafe", "extern void *get(void); int main(void) { void *p = get();
            if ((unsigned long)p >= (unsigned long)-4095) __VERIFIER_assert((long)p != -12); }"),
        golden("errors as pointers, made here", "safe", "int x; void *get(int c) { return c ? (void *)-12L : &x; } int main(void) {
            int *p = get(__VERIFIER_nondet_int()); if ((unsigned long)p < (unsigned long)-4095) { *p = 1; __VERIFIER_assert(x == 1); }
            else __VERIFIER_assert((long)p == -12); }"),
    ]);
}
