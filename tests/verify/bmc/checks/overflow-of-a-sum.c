// Overflow of a sum.
// expect: unsafe 8
// engine: bmc
// check: overflow
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x + 1;
}
