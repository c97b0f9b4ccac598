// An allocation before another.
// expect: safe
// engine: bmc
// unwind: 4, auto
void __VERIFIER_assert(int);
void *malloc(unsigned long);
int *make(int v) {
    int *p = malloc(4);
    *p = v;
    return p;
}
int main(void) {
    int *p = make(1);
    __VERIFIER_assert(*p == 1);
}
