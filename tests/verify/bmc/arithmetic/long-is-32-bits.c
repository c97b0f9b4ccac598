// Long is 32 bits.
// expect: safe
// engine: bmc
// target: ilp32
void __VERIFIER_assert(int);
int main(void) {
    __VERIFIER_assert(sizeof(long) == 4 && sizeof(void *) == 4 && (unsigned long)-1 == 0xffffffffu);
}
