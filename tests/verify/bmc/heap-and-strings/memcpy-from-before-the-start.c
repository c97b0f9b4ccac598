// Memcpy from before the start.
// expect: safe
// engine: bmc
// audit: unknown
// assumes: memory is accessed only where that is valid (--check memory)
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
int a[2], b[4];
int main(void) {
    a[0] = __VERIFIER_nondet_int();
    memcpy(b, (char *)a - 1, 8);
    __VERIFIER_assert(b[1] == 0);
}
