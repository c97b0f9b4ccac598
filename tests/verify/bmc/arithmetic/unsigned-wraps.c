// Unsigned wraps.
// expect: unsafe 8
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assert(x + 1 > x);
}
