// Memcpy of unknown length to the end.
// expect: safe
// engine: bmc
// audit: unknown
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
char a[8], b[8];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 3;
    memcpy(a + 4, b, n);
    memset(a + 4, 1, n);
    __VERIFIER_assert(a[4] == (n > 0) && a[7] == 0);
}
