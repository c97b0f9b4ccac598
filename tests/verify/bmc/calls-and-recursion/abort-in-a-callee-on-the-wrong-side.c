// Abort in a callee, on the wrong side.
// expect: unsafe 13
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void abort(void);
void die(int x) {
    if (x) abort();
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    die(x != 3);
    __VERIFIER_assert(x != 3);
}
