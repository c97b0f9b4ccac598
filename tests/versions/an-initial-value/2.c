// expect: unsafe 6
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int limit = 11;
int f(int x) { return x > limit ? limit : x; }
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) <= 10); }
