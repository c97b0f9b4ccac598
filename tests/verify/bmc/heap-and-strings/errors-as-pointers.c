// Errors as pointers.
// expect: unsafe 8
// engine: bmc
void __VERIFIER_assert(int);
extern void *get(void);
int main(void) {
    void *p = get();
    if ((unsigned long)p >= (unsigned long)-4095) __VERIFIER_assert((long)p != -12);
}
