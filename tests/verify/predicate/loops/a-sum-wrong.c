// A sum, wrong.
// expect: unsafe 11
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    __VERIFIER_assume(n < 10);
    for (int i = 0; i < n; i++) s += 2;
    __VERIFIER_assert(s < 6);
}
