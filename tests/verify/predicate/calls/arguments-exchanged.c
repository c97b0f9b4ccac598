// Arguments exchanged.
// expect: unsafe 7
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void f(int x, int y) { __VERIFIER_assert(!(x > 0 && y <= 0)); }
int main(void) {
    int z = __VERIFIER_nondet_int();
    __VERIFIER_assume(z <= 0);
    f(z, 1);
    f(1, z);
}
