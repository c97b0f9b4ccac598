// Recursion without a base case, check inside.
// expect: unsafe 6
// engine: bmc
void __VERIFIER_assert(int);
int f(int n) {
    __VERIFIER_assert(n != 4);
    return f(n + 1);
}
int main(void) { f(0); }
