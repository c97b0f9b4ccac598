// Recursion of constant depth.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }
int main(void) { __VERIFIER_assert(f(6) == 720); }
