// Memcpy from the middle of a value.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
int a[2] = {0x04030201, 0x08070605};
unsigned char b[8];
int main(void) {
    a[0] += __VERIFIER_nondet_int() & 1;
    memcpy(b, (char *)a + 1, 3);
    memcpy(b + 3, (char *)a + 1, 5);
    __VERIFIER_assert(b[0] == 2 && b[2] == 4 && b[3] == 2 && b[6] == 5 && b[7] == 6);
}
