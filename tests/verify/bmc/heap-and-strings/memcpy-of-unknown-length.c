// Memcpy of unknown length.
// expect: unsafe 11
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
char a[8], b[8] = "abcdefg";
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 7;
    memcpy(a, b, n);
    __VERIFIER_assert(a[4] != 'e');
}
