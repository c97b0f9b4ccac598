// expect: unsafe 7
// check: memory
// fails: memory

#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) { const char *f = __VERIFIER_nondet_int() ? "%d %s\n" : "%d\n"; printf(f, 1); return 0; }
