// Bytes of a larger type at an unknown offset.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
unsigned x = 0x04030201;
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() & 3;
    __VERIFIER_assert(((unsigned char *)&x)[i] == i + 1);
}
