// An assumption that goes away.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int f(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x < 9);
    return x;
}
int main(void) { __VERIFIER_assert(f() < 10); }
