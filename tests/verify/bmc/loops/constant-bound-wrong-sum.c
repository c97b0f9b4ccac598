// Constant bound, wrong sum.
// expect: unsafe 8
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int s = 0;
    for (int i = 0; i < 100; i++) s += i;
    __VERIFIER_assert(s != 4950);
}
