// No overflow of a sum.
// expect: safe
// engine: bmc
// check: overflow
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 2147483647) { int y = x + 1; }
}
