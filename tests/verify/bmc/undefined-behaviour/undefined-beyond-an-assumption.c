// Undefined beyond an assumption.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int x = 1, *p = __VERIFIER_nondet_int() ? &x : 0;
    __VERIFIER_assume(p != 0);
    __VERIFIER_assert(*p == 1);
}
