// The second round.
// expect: unsafe 11
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int n;
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x) goto in;
    while (1) {
        if (n == 1) __VERIFIER_error();
        n = 0;
        if (x == 2) {
        in:
            n = 1;
        }
    }
}
