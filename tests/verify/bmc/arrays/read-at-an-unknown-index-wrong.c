// Read at an unknown index, wrong.
// expect: unsafe 9
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int a[5] = {3, 1, 4, 1, 5};
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 5) __VERIFIER_assert(a[i] != 4);
}
