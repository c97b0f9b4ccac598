// Recursion that changes a global.
// expect: unsafe 16
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
void f(int n) {
    if (n > 0) {
        g++;
        f(n - 1);
        g++;
    }
}
int main(void) {
    f(__VERIFIER_nondet_int());
    __VERIFIER_assert(g != 4);
}
