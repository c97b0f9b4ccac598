// Signed wraps.
// expect: unsafe 8
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert((int)((unsigned)x + 1u) > x);
}
