// An uninitialised local.
// expect: unsafe 7
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int x;
    __VERIFIER_assert(x == 0);
}
