// A check in a callee that holds.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void f(int x) { __VERIFIER_assert(x < 100); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 100) f(x);
}
