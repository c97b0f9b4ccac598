// Overflow of a product.
// expect: unsafe 8
// engine: bmc
// check: overflow
short __VERIFIER_nondet_short(void);
int main(void) {
    short x = __VERIFIER_nondet_short();
    int y = x * 65538;
}
