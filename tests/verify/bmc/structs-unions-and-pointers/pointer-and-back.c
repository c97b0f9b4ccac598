// Pointer and back.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int x = 4;
    unsigned long n = (unsigned long)&x;
    n += 0;
    *(int *)n = 5;
    __VERIFIER_assert(x == 5);
}
