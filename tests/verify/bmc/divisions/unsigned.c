// Unsigned.
// expect: safe
// engine: bmc
// check: div
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    return x / -1u;
}
