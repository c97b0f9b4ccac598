// Rounds that nobody avoids and that do not end.
// expect: unsafe 10
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int x;
unsigned i;
int main(void) {
    x = __VERIFIER_nondet_int();
    if (x == 7) __VERIFIER_error();
    while (1) {
        i = i + 1;
        if (i == 0) __VERIFIER_error();
    }
}
