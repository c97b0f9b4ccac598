// An initial value.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int limit = 10;
int f(int x) { return x > limit ? limit : x; }
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) <= 10); }
