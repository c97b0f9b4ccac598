// An endless loop before the check.
// expect: safe
// engine: bmc
// unwind: 12
void __VERIFIER_assert(int);
int x;
int main(void) {
    while (1) x++;
    __VERIFIER_assert(0);
}
