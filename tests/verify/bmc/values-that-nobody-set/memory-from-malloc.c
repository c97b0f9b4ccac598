// Memory from malloc.
// expect: unsafe 9
// engine: bmc
void __VERIFIER_assert(int);
void *malloc(unsigned long);
int main(void) {
    unsigned char *p = malloc(2);
    if (!p) return 0;
    __VERIFIER_assert(p[0] != 77 || p[1] != 78);
}
