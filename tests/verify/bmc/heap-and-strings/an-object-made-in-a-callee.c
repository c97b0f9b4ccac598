// An object made in a callee.
// expect: safe
// engine: bmc
// audit: unknown
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void exit(int);
void *malloc(unsigned long);
int *make(int v) {
    int *p = malloc(4);
    if (!p) exit(1);
    *p = v;
    return p;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int *p = make(x), *q = make(2);
    __VERIFIER_assert(*p == x && *q == 2 && p != q);
}
