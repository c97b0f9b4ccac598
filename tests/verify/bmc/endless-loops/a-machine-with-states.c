// A machine with states.
// expect: unsafe 12
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int s = 0;
    while (1) {
        int x = __VERIFIER_nondet_int();
        if (s < 6 && x == s) s++;
        else s = 0;
        __VERIFIER_assert(s != 6);
    }
}
