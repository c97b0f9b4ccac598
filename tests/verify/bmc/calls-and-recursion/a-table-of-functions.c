// A table of functions.
// expect: unsafe 14
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int a(int x) { return x + 1; }
int b(int x) { return x + 2; }
int c(int x) { return x + 3; }
int (*const table[])(int) = {a, b, c};
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 3);
    __VERIFIER_assert(table[i](10) != 13);
}
