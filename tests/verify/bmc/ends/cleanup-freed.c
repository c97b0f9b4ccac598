// For cleanup, freed.
// expect: safe
// engine: bmc
// check: cleanup
int __VERIFIER_nondet_int(void);
void exit(int);
void *malloc(unsigned long);
void free(void *);
int *g;
int main(void) {
    g = malloc(4);
    if (__VERIFIER_nondet_int()) {
        free(g);
        exit(1);
    }
    free(g);
    return 0;
}
