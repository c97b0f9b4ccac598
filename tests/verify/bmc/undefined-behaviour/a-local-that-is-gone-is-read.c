// A local that is gone is read.
// expect: safe
// engine: bmc
// assumes: memory is accessed only where that is valid
void __VERIFIER_assert(int);
int *f(void) {
    int x = 3;
    int *p = &x;
    return p;
}
int main(void) { __VERIFIER_assert(*f() == 3); }
