// A square that is not negative.
// expect: unsafe 8
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x * x >= 0);
}
