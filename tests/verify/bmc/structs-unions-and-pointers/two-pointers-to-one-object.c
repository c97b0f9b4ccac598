// Two pointers to one object.
// expect: unsafe 13
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int *p, int *q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    int a, b;
    __VERIFIER_assert(f(&a, __VERIFIER_nondet_int() ? &b : &a) == 1);
}
