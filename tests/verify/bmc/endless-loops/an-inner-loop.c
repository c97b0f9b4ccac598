// An inner loop.
// expect: unsafe 16
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int a = 0, b = 0, c = 0, d = 0;
    while (__VERIFIER_nondet_int()) {
        while (__VERIFIER_nondet_int()) {
            d = c;
            c = b;
        }
        b = a;
        a = 1;
    }
    __VERIFIER_assert(d == 0);
}
