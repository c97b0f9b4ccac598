// A null pointer is read.
// expect: safe
// engine: bmc
// audit: unknown
// assumes: memory is accessed only where that is valid
void __VERIFIER_assert(int);
int main(void) {
    int *p = 0;
    __VERIFIER_assert(*p == 1);
}
