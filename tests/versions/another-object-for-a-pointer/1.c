// Another object for a pointer.
// expect: safe
// engine: bmc
// unwind: 4, auto
void __VERIFIER_assert(int);
int f(int *p, int *q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    int a, b;
    __VERIFIER_assert(f(&a, &b) == 1);
}
