// 32 bits.
// expect: unsafe 15
// engine: bmc
// check: leak
// target: ilp32
int __VERIFIER_nondet_int(void);
void *malloc(unsigned int);
int *g, n;
int main(void) {
    int i = __VERIFIER_nondet_int();
    n = i * 3;
    g = malloc(4);
    if (i == 3) g++;
    if (i == 4) g += 2;
    return 0;
}
