// Uninitialised memory is any value.
// expect: unsafe 9
// engine: bmc
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
    int a[4];
    int i = __VERIFIER_nondet_uchar() & 3;
    __VERIFIER_assert(a[i] != 1234567);
}
