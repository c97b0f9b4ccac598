// A callee far below.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int c(int x) { return x > 0 ? 1 : 0; }
int b(int x) { return c(x) + 1; }
int a(int x) { return b(x) + 1; }
int main(void) { __VERIFIER_assert(a(__VERIFIER_nondet_int()) <= 3); }
