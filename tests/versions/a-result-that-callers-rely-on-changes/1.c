// A result that callers rely on changes.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int x) {
    if (x < 0) return 0;
    return x;
}
int g(int x) {
    int r = f(x);
    return r;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    int r = g(n);
    __VERIFIER_assert(r >= n);
    return 0;
}
