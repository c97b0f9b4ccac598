// Out of bounds into nothing.
// expect: safe
// engine: bmc
// audit: unknown
// assumes: memory is accessed only where that is valid
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int a[4];
int main(void) {
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assert(a[i] == 0);
}
