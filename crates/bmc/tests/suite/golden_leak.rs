//! Small programs with known verdicts: what is left of the heap where they end.

use crate::golden::{check, golden};
use ir::CheckKind::{Cleanup, Leak, Memory};

#[test]
fn leaks() {
    check(&[
        golden("a block is lost", "unsafe", "int main(void) { int *p = malloc(4); *p = 1; return 0; }").checks(&[Leak]),
        golden("nobody looks at it", "unsafe", "int main(void) { malloc(4); return 0; }").checks(&[Leak]),
        golden("a block is freed", "safe", "int main(void) { int *p = malloc(4); free(p); return 0; }").checks(&[Leak]),
        golden("lost on one path", "unsafe", "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); return 0; }").checks(&[Leak]),
        golden("made on one path", "safe", "int main(void) { int c = __VERIFIER_nondet_int(), *p = 0; if (c) p = malloc(4); if (c) free(p); return 0; }")
            .checks(&[Leak]),
        golden("made on one path, freed on less", "unsafe", "int main(void) { int c = __VERIFIER_nondet_int(), *p = 0; if (c) p = malloc(4);
            if (c > 1) free(p); return 0; }").checks(&[Leak]),
        golden("a global keeps it", "safe", "int *g; int main(void) { g = malloc(4); return 0; }").checks(&[Leak]),
        golden("a static local keeps it", "safe", "int main(void) { static char *s[3]; s[__VERIFIER_nondet_uint() % 3] = malloc(4); return 0; }")
            .checks(&[Leak]),
        golden("the global is overwritten", "unsafe", "int *g; int main(void) { g = malloc(4); g = malloc(8); return 0; }").checks(&[Leak]),
        golden("overwritten, perhaps", "unsafe", "int *g; int main(void) { g = malloc(4); if (__VERIFIER_nondet_int() == 7) g = 0; return 0; }").checks(&[Leak]),
        golden("a pointer into the middle keeps it", "safe", "char *g; int main(void) { g = malloc(4); g += 2; return 0; }").checks(&[Leak]),
        golden("a pointer behind the end keeps it", "safe", "char *g; int main(void) { g = malloc(4); g += 4; return 0; }").checks(&[Leak]),
        golden("a pointer with a mark keeps it", "safe", "char *g; int main(void) { char *p = malloc(4), *q = malloc(8);
            g = (char *)((unsigned long)(__VERIFIER_nondet_int() ? p : q) | 1); free(((unsigned long)g & ~1ul) == (unsigned long)p ? q : p); return 0; }")
            .checks(&[Leak]),
        golden("a number keeps it", "safe", "unsigned long g; int main(void) { g = (unsigned long)malloc(4); return 0; }").checks(&[Leak]),
        golden("kept byte by byte", "safe", "char *g; int main(void) { char *p = malloc(4); for (unsigned i = 0; i < sizeof p; i++)
            ((char *)&g)[i] = ((char *)&p)[i]; return 0; }").checks(&[Leak]),
        golden("through other memory", "safe", "struct s { struct s *n; int k; } *g; int main(void) { g = malloc(sizeof *g); g->n = malloc(sizeof *g);
            g->n->n = 0; return 0; }").checks(&[Leak]),
        golden("through memory that is freed", "unsafe", "struct s { struct s *n; int k; } *g; int main(void) { g = malloc(sizeof *g);
            g->n = malloc(sizeof *g); free(g); return 0; }").checks(&[Leak]),
        golden("a ring that nothing leads to", "unsafe", "struct s { struct s *n; int k; }; int main(void) { struct s *a = malloc(sizeof *a),
            *b = malloc(sizeof *b); a->n = b; b->n = a; return 0; }").checks(&[Leak]),
        golden("a ring that a global leads to", "safe", "struct s { struct s *n; int k; } *g; int main(void) { struct s *a = malloc(sizeof *a),
            *b = malloc(sizeof *b); a->n = b; b->n = a; g = __VERIFIER_nondet_int() ? a : b; return 0; }").checks(&[Leak]),
        golden("a ring that a global leads to, perhaps", "unsafe", "struct s { struct s *n; int k; } *g; int main(void) { struct s *a = malloc(sizeof *a),
            *b = malloc(sizeof *b); a->n = b; b->n = a; if (__VERIFIER_nondet_int()) g = b; return 0; }").checks(&[Leak]),
        golden("in a large table", "safe", "char *t[2000]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 2000; t[i] = malloc(4); return 0; }").checks(&[Leak]),
        golden("in a large table, overwritten", "unsafe", "char *t[2000]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 2000,
            j = __VERIFIER_nondet_uint() % 2000; t[i] = malloc(4); t[j] = 0; return 0; }").checks(&[Leak]),
        golden("in a loop", "unsafe", "int main(void) { for (int i = 0; i < 3; i++) { char *p = malloc(4); if (i != 1) free(p); } return 0; }").checks(&[Leak]),
        golden("in a loop of any length", "unsafe", "int main(void) { unsigned n = __VERIFIER_nondet_uint(); for (unsigned i = 0; i < n; i++)
            if (i == 2) malloc(4); return 0; }").checks(&[Leak]),
        golden("in a loop without end", "safe", "int main(void) { for (;;) ; }").checks(&[Leak]),
        golden("realloc", "safe", "int main(void) { char *p = malloc(4); p = realloc(p, 8); free(p); return 0; }").checks(&[Leak]),
        golden("realloc for nobody", "unsafe", "char *g; int main(void) { g = malloc(4); realloc(g, 8); g = 0; return 0; }").checks(&[Leak]),
        golden("32 bits", "unsafe", "int *g, n; int main(void) { int i = __VERIFIER_nondet_int(); n = i * 3; g = malloc(4); if (i == 3) g++; if (i == 4) g += 2; return 0; }")
            .checks(&[Leak]).ilp32(),
        golden("32 bits, safe", "safe", "int *g, n; int main(void) { int i = __VERIFIER_nondet_int(); n = i * 3; g = malloc(4); if (i == 3) g++; return 0; }")
            .checks(&[Leak]).ilp32(),
    ]);
}

#[test]
fn ends() {
    check(&[
        golden("a variable keeps it at exit", "safe", "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) exit(1); free(p); return 0; }")
            .checks(&[Leak]),
        golden("a caller's variable keeps it at exit", "safe", "void die(void) { exit(1); } int main(void) { int *p = malloc(4); *p = 1; die(); return *p; }")
            .checks(&[Leak]),
        golden("a parameter keeps it at exit", "safe", "void die(int *p) { exit(*p); } int main(void) { int *p = malloc(4); *p = 1; int *q = p; p = 0; die(q); }")
            .checks(&[Leak]),
        golden("a struct keeps it at exit", "safe", "struct s { int *p; int n; }; int main(void) { struct s s; s.p = malloc(4); s.n = 1; exit(s.n); }").checks(&[Leak]),
        golden("lost before exit", "unsafe", "int main(void) { int *p = malloc(4); p = 0; exit(1); }").checks(&[Leak]),
        golden("lost by a function that returned", "unsafe", "void f(void) { int *p = malloc(4); *p = 1; } int main(void) { f(); exit(1); }").checks(&[Leak]),
        golden("set on one path", "unsafe", "void f(int c) { int *q = malloc(4), *p; if (c) p = q; q = 0; exit(1); } int main(void) { f(__VERIFIER_nondet_int()); }")
            .checks(&[Leak]),
        golden("_Exit", "unsafe", "void _Exit(int); int main(void) { int *p = malloc(4); p = 0; _Exit(1); }").checks(&[Leak]),
        golden("lost before abort", "unsafe", "int main(void) { int *p = malloc(4); p = 0; abort(); }").checks(&[Leak]),
        golden("kept at abort", "safe", "int main(void) { int *p = malloc(4); abort(); }").checks(&[Leak]),
        golden("main calls itself", "safe", "int *g; int main(int n, char **v) { int *p = malloc(4); if (n == 1) main(2, v); free(p); return 0; }").checks(&[Leak]),
        golden("a handler frees it", "safe", "int atexit(void (*)(void)); int *g; void clean(void) { free(g); g = 0; }
            int main(void) { atexit(clean); g = malloc(4); if (__VERIFIER_nondet_int()) exit(1); return 0; }").checks(&[Leak, Cleanup]),
        golden("cleanup: a global is not enough", "unsafe", "int *g; int main(void) { g = malloc(4); return 0; }").checks(&[Cleanup]),
        golden("cleanup: a variable is not enough", "unsafe", "int main(void) { int *p = malloc(4); exit(1); }").checks(&[Cleanup]),
        golden("cleanup: not at abort", "safe", "int main(void) { int *p = malloc(4); abort(); }").checks(&[Cleanup]),
        golden("cleanup: freed", "safe", "int *g; int main(void) { g = malloc(4); if (__VERIFIER_nondet_int()) { free(g); exit(1); } free(g); return 0; }").checks(&[Cleanup]),
        golden("cleanup: main calls itself", "safe", "int main(int n, char **v) { int *p = malloc(4); if (n == 1) main(2, v); free(p); return 0; }").checks(&[Cleanup]),
        golden("memory, too", "unsafe", "int main(void) { int *p = malloc(4); free(p); *p = 1; return 0; }").checks(&[Leak, Memory]),
    ]);
}
