// A jump into a loop.
// expect: unsafe 15
// engine: bmc
// unwind: 1
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int n;
int main(void) {
    if (__VERIFIER_nondet_int()) goto in;
    while (n < 5) {
        n = n + 1;
    in:
        if (__VERIFIER_nondet_int()) continue;
        n = n + 2;
        if (n == 5) __VERIFIER_error();
    }
    return 0;
}
