// A null pointer is read, sometimes.
// expect: safe
// engine: bmc
// audit: unknown
// assumes: memory is accessed only where that is valid
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = 1, *p = __VERIFIER_nondet_int() ? &x : 0;
    __VERIFIER_assert(*p == 1);
}
