// Pointer differences and comparisons.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int a[9];
int main(void) {
    int *p = a + (__VERIFIER_nondet_uint() % 9), *q = a + 9;
    __VERIFIER_assert(q - p >= 1 && q - p <= 9 && p < q && p != q);
}
