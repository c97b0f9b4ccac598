// Float is not exact on large numbers.
// expect: unsafe 11
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 0x7fffff00);
    float f = x;
    __VERIFIER_assert((int)f == x);
}
