// Another constant.
// expect: safe
// engine: bmc
// unwind: 4, auto
void __VERIFIER_assert(int);
int f(int x) { return x + 1; }
int main(void) { __VERIFIER_assert(f(3) == 4); }
