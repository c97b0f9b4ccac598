// An array at a variable place.
// expect: unsafe 12
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int a[4] = {0, 1, 2, 3};
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 4);
    a[i] = 9;
    __VERIFIER_assert(a[2] == 2);
}
