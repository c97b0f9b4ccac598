// Allocation of unknown size.
// expect: unsafe 10
// engine: bmc
// check: memory
unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 15;
    char *p = malloc(n);
    if (p && n) p[n] = 0;
}
