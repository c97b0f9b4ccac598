// Free twice.
// expect: unsafe 11
// engine: bmc
// check: memory
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4);
    free(p);
    if (__VERIFIER_nondet_int() == 9) free(p);
}
