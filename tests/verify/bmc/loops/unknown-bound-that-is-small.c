// Unknown bound that is small.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    __VERIFIER_assume(n >= 0 && n <= 6);
    for (int i = 0; i < n; i++) s += 2;
    __VERIFIER_assert(s == 2 * n);
}
