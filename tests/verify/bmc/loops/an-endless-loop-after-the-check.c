// An endless loop after the check.
// expect: unsafe 7
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    __VERIFIER_assert(__VERIFIER_nondet_int());
    for (;;);
}
