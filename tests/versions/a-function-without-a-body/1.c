// A function without a body.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int c) { return c & 1; }
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) < 2); }
