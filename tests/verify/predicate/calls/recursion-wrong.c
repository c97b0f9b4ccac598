// Recursion, wrong.
// expect: unsafe 12
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int n) {
    if (n <= 0) return 0;
    return f(n - 1) + 2;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(n) != 6);
}
