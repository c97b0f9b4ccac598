// Everything at once.
// expect: safe
// engine: bmc
// check: memory,overflow,div,shift
int __VERIFIER_nondet_int(void);
int a[8];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 1 || i > 7) return 0;
    a[i] = 64 / i << i;
    return a[i - 1];
}
