// Promoted.
// expect: safe
// engine: bmc
// check: div
short __VERIFIER_nondet_short(void);
int main(void) {
    short x = __VERIFIER_nondet_short();
    return x / -1;
}
