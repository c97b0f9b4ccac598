// Fails beyond the bound.
// expect: unknown safe up to 3
// engine: bmc
// unwind: 3
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) __VERIFIER_assert(i != 5);
}
