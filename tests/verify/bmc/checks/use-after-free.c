// Use after free.
// expect: unsafe 13
// engine: bmc
// check: memory
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4);
    if (!p) return 0;
    *p = 1;
    if (__VERIFIER_nondet_int()) free(p);
    return *p;
}
