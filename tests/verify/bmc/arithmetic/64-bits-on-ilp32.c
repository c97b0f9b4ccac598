// 64 bits on ILP32.
// expect: unsafe 9
// engine: bmc
// target: ilp32
long long __VERIFIER_nondet_longlong(void);
void __VERIFIER_assert(int);
int main(void) {
    long long x = __VERIFIER_nondet_longlong();
    __VERIFIER_assert(x != 0x123456789abLL * 3);
}
