// A check inside.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void f(int x) { __VERIFIER_assert(x < 10); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 10) f(x);
}
