// Freed in a callee.
// expect: safe
// engine: bmc
// assumes: memory is accessed only where that is valid (--check memory)
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void *malloc(unsigned long);
void free(void *);
void drop(int *p, int c) {
    if (c) free(p);
}
int main(void) {
    int *p = malloc(4);
    if (!p) return 0;
    *p = 3;
    drop(p, __VERIFIER_nondet_int());
    __VERIFIER_assert(*p == 3);
}
