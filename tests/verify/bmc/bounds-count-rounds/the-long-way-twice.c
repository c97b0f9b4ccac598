// The long way, twice.
// expect: unknown safe up to 1
// engine: bmc
// unwind: 1
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
