// Recursion.
// expect: safe or unknown
// engine: predicate
// timeout: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int f(int n) {
    if (n <= 0) return 0;
    return f(n - 1) + 1;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 1000);
    __VERIFIER_assert(f(n) == n);
}
