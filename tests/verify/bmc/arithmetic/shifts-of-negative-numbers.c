// Shifts of negative numbers.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x < 0);
    __VERIFIER_assert(x >> 1 < 0 && (unsigned)x >> 31 == 1);
}
