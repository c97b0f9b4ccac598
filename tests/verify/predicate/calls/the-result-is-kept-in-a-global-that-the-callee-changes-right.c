// The result is kept in a global that the callee changes, right.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int k = 2;
int f(int x) {
    k = x + 1;
    return k - 1;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    k = f(x);
    __VERIFIER_assert(k == x);
}
