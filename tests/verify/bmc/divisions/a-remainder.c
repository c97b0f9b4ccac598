// A remainder.
// expect: unsafe 8
// engine: bmc
// check: div
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x % -1;
}
