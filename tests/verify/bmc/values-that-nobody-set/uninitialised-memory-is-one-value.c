// Uninitialised memory is one value.
// expect: safe
// engine: bmc
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
    int a[4];
    int i = __VERIFIER_nondet_uchar() & 3;
    int x = a[i];
    __VERIFIER_assert(x == a[i]);
}
