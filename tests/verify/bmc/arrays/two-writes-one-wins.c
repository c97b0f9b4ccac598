// Two writes, one wins.
// expect: unsafe 11
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int a[4];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() & 3, j = __VERIFIER_nondet_uint() & 3;
    a[i] = 1;
    a[j] = 2;
    __VERIFIER_assert(a[i] == 1);
}
