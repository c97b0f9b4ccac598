// Bounds of another caller.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int f(int x) {
    int r = x;
    int q = r - 5;
    if (q > 0) r = r - q;
    return r;
}
int g(int x) { return f(x); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 50);
    __VERIFIER_assert(g(n) <= 5);
}
