// The same call twice.
// expect: unsafe 15
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int power(unsigned n) {
    if (n == 0) return 0;
    if (n & (n - 1)) return 0;
    return 1;
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (!power(n)) return 0;
    if (!power(n)) return 0;
    __VERIFIER_assert(n != 4);
    return 0;
}
