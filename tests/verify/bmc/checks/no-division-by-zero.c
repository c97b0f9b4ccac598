// No division by zero.
// expect: safe
// engine: bmc
// check: div
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x ? 100 / x : 0;
}
