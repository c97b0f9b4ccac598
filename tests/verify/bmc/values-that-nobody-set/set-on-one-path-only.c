// Set on one path only.
// expect: unsafe 9
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x;
    if (__VERIFIER_nondet_int()) x = 1;
    __VERIFIER_assert(x == 1);
}
