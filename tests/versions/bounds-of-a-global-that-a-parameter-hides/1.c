// Bounds of a global that a parameter hides.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int x;
int get(void) { return x; }
int f(int x) {
    int r = get();
    int q = r - 5;
    if (q > 0) r = r - q;
    return x > 9 ? 0 : r;
}
int main(void) {
    x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0);
    __VERIFIER_assert(f(3) <= 5);
}
