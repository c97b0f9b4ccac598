// Bits of a flag word.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned f = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) f |= 4u;
        else f &= ~4u;
        f ^= 1u;
    }
    __VERIFIER_assert((f & ~5u) == 0u);
}
