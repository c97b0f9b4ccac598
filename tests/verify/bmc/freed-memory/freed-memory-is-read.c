// Freed memory is read.
// expect: safe
// engine: bmc
// assumes: memory is accessed only where that is valid (--check memory)
void __VERIFIER_assert(int);
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4);
    if (!p) return 0;
    *p = 1;
    free(p);
    __VERIFIER_assert(*p == 1);
}
