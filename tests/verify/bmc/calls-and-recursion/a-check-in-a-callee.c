// A check in a callee.
// expect: unsafe 6
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void f(int x) { __VERIFIER_assert(x < 50); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 100) f(x);
}
