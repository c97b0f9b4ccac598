// Recursion on an input.
// expect: safe
// engine: bmc
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int f(int n) { return n <= 0 ? 0 : n + f(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_uchar() & 7;
    __VERIFIER_assert(f(n) == n * (n + 1) / 2);
}
