// A divisor that is neither.
// expect: safe
// engine: bmc
// check: div
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y != 0 && y != -1) x /= y;
    return x;
}
