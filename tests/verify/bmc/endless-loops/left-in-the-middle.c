// Left in the middle.
// expect: unsafe 18
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int a = 0, b = 0, c = 0, d = 0, e = 0;
    for (;;) {
        if (__VERIFIER_nondet_int() == 1) break;
        e = d;
        d = c;
        c = b;
        b = a;
        a = 1;
        if (__VERIFIER_nondet_int() == 2) goto out;
    }
out:
    __VERIFIER_assert(!e);
}
