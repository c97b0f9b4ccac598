// expect: unsafe 13
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void *malloc(unsigned long);
int *make(int v) {
    int *p = malloc(4), *q = malloc(4);
    *p = v;
    *q = v + 1;
    return __VERIFIER_nondet_int() ? p : q;
}
int main(void) {
    int *p = make(1);
    __VERIFIER_assert(*p == 1);
}
