// In a large table, overwritten.
// expect: unsafe 12
// engine: bmc
// check: leak
unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long);
char *t[2000];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 2000, j = __VERIFIER_nondet_uint() % 2000;
    t[i] = malloc(4);
    t[j] = 0;
    return 0;
}
