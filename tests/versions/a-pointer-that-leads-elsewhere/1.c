// A pointer that leads elsewhere.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int a, b, *p = &a;
void f(int x) { *p = x; }
int main(void) {
    f(__VERIFIER_nondet_int());
    __VERIFIER_assert(b == 0);
    a = *p;
}
