// Memset of unknown length.
// expect: safe
// engine: bmc
// audit: unknown
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
void *memset(void *, int, unsigned long);
char a[8];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 7;
    memset(a, 1, n);
    int s = 0;
    for (int i = 0; i < 8; i++) s += a[i];
    __VERIFIER_assert(s == (int)n);
}
