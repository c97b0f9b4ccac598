// The same with 32 bits.
// expect: unsafe 9
// check: memory
// target: ilp32
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int a[4];
    unsigned i = __VERIFIER_nondet_uint();
    if (i * 4 < 16) a[i] = 1;
    return 0;
}
