// expect: unsafe 12
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
unsigned set(unsigned f, unsigned b) { return (f | b) & ~8u; }
unsigned clear(unsigned f, unsigned b) { return f & ~b; }
int main(void) {
    unsigned f = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) f = set(f, 12u | (f ^ 1u));
        else f = clear(f, 4u ^ (f & 2u));
    }
    __VERIFIER_assert((f & 4u) == 0u);
}
