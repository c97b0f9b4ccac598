// An assumption in a callee.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int small(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 10);
    return x;
}
int main(void) { __VERIFIER_assert(small() + small() < 19); }
