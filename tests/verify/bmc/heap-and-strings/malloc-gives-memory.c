// Malloc gives memory.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    __VERIFIER_assert(p != 0);
}
