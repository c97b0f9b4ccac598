// A pointer with a mark keeps it.
// expect: safe
// engine: bmc
// check: leak
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
char *g;
int main(void) {
    char *p = malloc(4), *q = malloc(8);
    g = (char *)((unsigned long)(__VERIFIER_nondet_int() ? p : q) | 1);
    free(((unsigned long)g & ~1ul) == (unsigned long)p ? q : p);
    return 0;
}
