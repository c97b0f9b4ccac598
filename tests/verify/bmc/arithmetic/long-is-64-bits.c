// Long is 64 bits.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    long x = 1L << 40;
    __VERIFIER_assert(x > 0 && sizeof x == 8);
}
