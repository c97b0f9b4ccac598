// Lost on one path.
// expect: unsafe 11
// engine: bmc
// check: leak
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4);
    if (__VERIFIER_nondet_int()) free(p);
    return 0;
}
