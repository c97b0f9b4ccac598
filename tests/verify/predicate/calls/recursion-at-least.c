// Recursion, at least.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int n) {
    if (n <= 0) return 0;
    int r = f(n - 1);
    return r > 50 ? r : r + 1;
}
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) >= 0); }
