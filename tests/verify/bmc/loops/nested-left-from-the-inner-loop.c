// Nested, left from the inner loop.
// expect: unsafe 12
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            if (i * 4 + j == n) goto out;
out:
    __VERIFIER_assert(!(i == 2 && j == 3));
}
