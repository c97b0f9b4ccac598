// The long way, three times.
// expect: unsafe 13
// engine: bmc
// unwind: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int n, m;
int main(void) {
    while (1) {
        m = m + 1;
        if (__VERIFIER_nondet_int()) continue;
        if (n == 2) {
            if (m < 9) __VERIFIER_error();
        }
        n = n + 1;
    }
}
