// A static local keeps it.
// expect: safe
// engine: bmc
// check: leak
unsigned __VERIFIER_nondet_uint(void);
void *malloc(unsigned long);
int main(void) {
    static char *s[3];
    s[__VERIFIER_nondet_uint() % 3] = malloc(4);
    return 0;
}
