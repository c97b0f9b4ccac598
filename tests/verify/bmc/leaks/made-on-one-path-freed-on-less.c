// Made on one path, freed on less.
// expect: unsafe 12
// engine: bmc
// check: leak
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int c = __VERIFIER_nondet_int(), *p = 0;
    if (c) p = malloc(4);
    if (c > 1) free(p);
    return 0;
}
