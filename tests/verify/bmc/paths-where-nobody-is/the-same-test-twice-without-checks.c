// The same test twice, without checks.
// expect: unsafe 14
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 8) return 0;
    int t = (n && !(n & (n - 1)));
    if (!t) return 0;
    if (n < 2) return 0;
    t = (n && !(n & (n - 1)));
    if (!t) return 0;
    __VERIFIER_error();
    return 0;
}
