// Counted to the end.
// expect: unsafe 13
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned char i = 0;
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        i++;
        if (i == 9) n = 1;
    }
    __VERIFIER_assert(!n);
}
