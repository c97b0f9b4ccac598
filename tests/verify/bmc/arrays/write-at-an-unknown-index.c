// Write at an unknown index.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int a[5];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 5, j = __VERIFIER_nondet_uint() % 5;
    a[i] = 7;
    __VERIFIER_assert(a[j] == (i == j ? 7 : 0));
}
