// Fails in the fifth iteration.
// expect: unsafe 8
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) __VERIFIER_assert(i != 5);
}
