// Shift too far.
// expect: unsafe 8
// engine: bmc
// check: shift
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    return 1u << (x & 63);
}
