// Each iteration's own.
// expect: unsafe 11
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int s = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i) s = x == 1;
    }
    __VERIFIER_assert(!s);
}
