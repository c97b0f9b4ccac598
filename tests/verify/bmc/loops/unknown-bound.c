// Unknown bound.
// expect: safe
// engine: bmc
// audit: unknown
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), s = 0;
    for (unsigned i = 0; i < n; i++) s += 2;
    __VERIFIER_assert(s == 2 * n);
}
