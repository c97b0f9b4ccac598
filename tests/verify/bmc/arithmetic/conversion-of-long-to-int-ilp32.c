// Conversion of long to int, ILP32.
// expect: safe
// engine: bmc
// target: ilp32
long __VERIFIER_nondet_long(void);
void __VERIFIER_assert(int);
int main(void) {
    long x = __VERIFIER_nondet_long();
    int y = x;
    __VERIFIER_assert(y == x);
}
