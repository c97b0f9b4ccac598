// Decimal fractions.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    double a = 0.1, b = 0.2;
    __VERIFIER_assert(a + b != 0.3 && 0.1f != 0.1);
}
