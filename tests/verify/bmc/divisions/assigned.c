// Assigned.
// expect: unsafe 8
// engine: bmc
// check: div
long long __VERIFIER_nondet_longlong(void);
int main(void) {
    long long x = __VERIFIER_nondet_longlong(), y = -1;
    x %= y;
    return 0;
}
