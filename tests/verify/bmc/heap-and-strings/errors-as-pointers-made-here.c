// Errors as pointers, made here.
// expect: safe
// engine: bmc
// audit: unknown
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int x;
void *get(int c) { return c ? (void *)-12L : &x; }
int main(void) {
    int *p = get(__VERIFIER_nondet_int());
    if ((unsigned long)p < (unsigned long)-4095) {
        *p = 1;
        __VERIFIER_assert(x == 1);
    } else __VERIFIER_assert((long)p == -12);
}
