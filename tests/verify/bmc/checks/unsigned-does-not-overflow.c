// Unsigned does not overflow.
// expect: safe
// engine: bmc
// check: overflow
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    x = x * x + 1;
}
