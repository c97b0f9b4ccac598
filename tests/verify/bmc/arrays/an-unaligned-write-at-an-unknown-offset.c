// An unaligned write at an unknown offset.
// expect: unsafe 12
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
unsigned char a[8];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() & 3;
    unsigned v = 0x11223344;
    memcpy(a + i, &v, 4);
    __VERIFIER_assert(a[4] != 0x22);
}
