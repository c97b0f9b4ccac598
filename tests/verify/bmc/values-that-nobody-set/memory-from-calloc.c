// Memory from calloc.
// expect: safe
// engine: bmc
// audit: unknown
void __VERIFIER_assert(int);
void *calloc(unsigned long, unsigned long);
int main(void) {
    int *p = calloc(2, 4);
    if (!p) return 0;
    __VERIFIER_assert(p[0] == 0 && p[1] == 0);
}
