// In a large table.
// expect: safe
// engine: bmc
// check: leak
unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long);
char *t[2000];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 2000;
    t[i] = malloc(4);
    return 0;
}
