// Several contexts, wrong.
// expect: unsafe 12
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int pick(int x, int y) { return x > 0 ? x : y; }
int main(void) {
    int z = __VERIFIER_nondet_int();
    __VERIFIER_assume(z <= 0);
    int a = pick(z, 1), b = pick(1, z);
    __VERIFIER_assert(a + b != 2);
}
