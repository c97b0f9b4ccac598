// In the middle.
// expect: unsafe 14
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int c;
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x) goto in;
    while (1) {
        c = c < 5 ? c + 1 : 5;
    in:
        if (__VERIFIER_nondet_int() == 9) return 0;
        if (c == 5 && x) __VERIFIER_error();
    }
}
