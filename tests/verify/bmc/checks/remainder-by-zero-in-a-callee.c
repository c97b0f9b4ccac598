// Remainder by zero in a callee.
// expect: unsafe 6
// engine: bmc
// check: div
unsigned __VERIFIER_nondet_uint(void);
int f(int x) { return 7 % x; }
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    return f(x >> 31);
}
