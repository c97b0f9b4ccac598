// An extern array keeps its value.
// expect: safe
// engine: bmc
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
extern int g[8];
int f(int i) { return g[i]; }
int main(void) {
    int i = __VERIFIER_nondet_uchar() & 7;
    int x = f(i);
    __VERIFIER_assert(f(i) == x);
}
