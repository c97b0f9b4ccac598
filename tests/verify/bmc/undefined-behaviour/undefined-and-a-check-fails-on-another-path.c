// Undefined, and a check fails on another path.
// expect: unsafe 9
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int(), *p = 0;
    if (x == 1) __VERIFIER_assert(*p == 0);
    else __VERIFIER_assert(x != 2);
}
