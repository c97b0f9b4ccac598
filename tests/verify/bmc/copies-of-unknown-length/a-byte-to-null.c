// A byte to null.
// expect: unsafe 20
// engine: bmc
// check: memory
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
void *malloc(unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
int main(void) {
    char in[6] = "abcde";
    unsigned n = __VERIFIER_nondet_uint() % 7, k = 0;
    char *s = 0;
    if (n > 1) {
        k = n / 2;
        s = malloc(n);
        memcpy(s, in, k);
    }
    char *end = s + k;
    memcpy(end, in, n - k);
    if (n == 5) __VERIFIER_assert(s[4] == 'c');
    free(s);
    return 0;
}
