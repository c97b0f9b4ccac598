// Nested.
// expect: unsafe 18
// engine: bmc
// unwind: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int n, m;
int main(void) {
    for (;;) {
        int i = 0;
        while (1) {
            m = m + 1;
            if (__VERIFIER_nondet_int()) continue;
            i++;
            if (i == 2) break;
        }
        n = n + i;
        if (n == 4 && m < 9) __VERIFIER_error();
    }
}
