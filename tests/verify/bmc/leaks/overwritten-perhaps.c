// Overwritten, perhaps.
// expect: unsafe 11
// engine: bmc
// check: leak
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
int *g;
int main(void) {
    g = malloc(4);
    if (__VERIFIER_nondet_int() == 7) g = 0;
    return 0;
}
