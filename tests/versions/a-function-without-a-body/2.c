// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
extern int other(int);
int f(int c) { return other(c) & 1; }
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) < 2); }
