// expect: safe
// check: memory

#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) { const char *f = __VERIFIER_nondet_int() ? "%d %5.2f\n" : "%d\n"; printf(f, 1, 2.0); return 0; }
