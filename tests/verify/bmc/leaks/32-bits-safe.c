// 32 bits, safe.
// expect: safe
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
    return 0;
}
