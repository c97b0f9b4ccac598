// Double.
// expect: safe
// engine: bmc
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    double d = __VERIFIER_nondet_double();
    __VERIFIER_assume(d > 1.0 && d < 2.0);
    __VERIFIER_assert(d + d > 2.0);
}
