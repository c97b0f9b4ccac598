// An assumption after the check.
// expect: unsafe 9
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x);
    __VERIFIER_assume(x);
}
