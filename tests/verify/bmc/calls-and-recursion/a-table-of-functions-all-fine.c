// A table of functions, all fine.
// expect: safe
// engine: bmc
// audit: unknown
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int a(int x) { return x + 1; }
int b(int x) { return x + 2; }
int (*table[2])(int) = {a, b};
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() & 1;
    int r = table[i](10);
    __VERIFIER_assert(r == 11 + (int)i);
}
