// Recursion that is deeper than the bound.
// expect: safe
// engine: bmc
// unwind: 4
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int n) { return n > 0 ? 1 + f(n - 1) : 0; }
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int() & 3) != 8); }
