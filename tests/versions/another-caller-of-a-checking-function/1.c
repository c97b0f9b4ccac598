// Another caller of a checking function.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void f(int x) { __VERIFIER_assert(x < 10); }
void g(int x) {
    if (x < 10) f(x);
}
int main(void) { g(__VERIFIER_nondet_int()); }
