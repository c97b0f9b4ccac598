// Recursion without a base case.
// expect: safe
// engine: bmc
// unwind: 6
void __VERIFIER_assert(int);
int f(int n) { return f(n + 1); }
int main(void) { __VERIFIER_assert(f(0)); }
