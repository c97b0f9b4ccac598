// expect: unsafe 9
// check: memory
// fails: memory

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void die(const char *f, ...) { va_list a; va_start(a, f); vfprintf(stderr, f, a); va_end(a); exit(1); }
int main(void) { int e = __VERIFIER_nondet_int(); if (e) die("error %d in %s\n", e); return 0; }
