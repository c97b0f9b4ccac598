// Conversion of long to int, LP64.
// expect: unsafe 9
// engine: bmc
long __VERIFIER_nondet_long(void);
void __VERIFIER_assert(int);
int main(void) {
    long x = __VERIFIER_nondet_long();
    int y = x;
    __VERIFIER_assert(y == x);
}
