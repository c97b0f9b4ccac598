// expect: unsafe 5
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
extern int f(int c);
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) < 2); }
