// An uninitialised local is one value.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int x;
    int y = x;
    __VERIFIER_assert(y == x);
}
