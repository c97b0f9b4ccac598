// Overflow in a loop.
// expect: unsafe 8
// engine: bmc
// check: overflow
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 1;
    for (int i = 0; i < n; i++) s *= 100;
}
