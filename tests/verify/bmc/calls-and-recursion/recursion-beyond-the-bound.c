// Recursion beyond the bound.
// expect: unknown safe up to 4
// engine: bmc
// unwind: 4
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_uchar();
    __VERIFIER_assert(f(n) != 20);
}
