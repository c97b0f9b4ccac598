// Do while.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    do { i++; } while (i < n);
    __VERIFIER_assert(i >= 1);
}
