// In a loop of any length.
// expect: unsafe 11
// engine: bmc
// check: leak
unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++)
        if (i == 2) malloc(4);
    return 0;
}
