// A parameter that becomes a constant.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int x, int y) { return x > y ? x : y; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(x, x) == x);
}
