// Null pointer.
// expect: unsafe 8
// engine: bmc
// check: memory
int __VERIFIER_nondet_int(void);
int main(void) {
    int x, *p = __VERIFIER_nondet_int() ? &x : 0;
    *p = 1;
}
