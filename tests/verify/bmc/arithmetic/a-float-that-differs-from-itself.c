// A float that differs from itself.
// expect: unsafe 8
// engine: bmc
float __VERIFIER_nondet_float(void);
void __VERIFIER_assert(int);
int main(void) {
    float f = __VERIFIER_nondet_float();
    __VERIFIER_assert(f == f);
}
