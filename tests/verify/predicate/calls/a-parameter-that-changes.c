// A parameter that changes.
// expect: unsafe 16
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int f(int p) {
    p = p < 5 ? p : p + 1;
    int i = 0;
    while (i < p) i++;
    return i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 8);
    __VERIFIER_assert(f(n) <= n);
}
