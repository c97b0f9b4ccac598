// Bits.
// expect: safe
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assert((x & 12u) <= 12u && (x ^ x) == 0u && ((x | 1u) & 1u) == 1u);
}
