// Nested, inner bound from an input.
// expect: safe
// engine: bmc
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
    int c = 0, n = __VERIFIER_nondet_uchar() & 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++) c++;
    __VERIFIER_assert(c == 3 * n);
}
