// One more thing changed.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g, h;
void f(int x) { g = x; }
int main(void) {
    f(__VERIFIER_nondet_int());
    __VERIFIER_assert(h == 0);
}
