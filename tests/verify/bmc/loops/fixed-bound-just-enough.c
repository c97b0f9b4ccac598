// Fixed bound just enough.
// expect: safe
// engine: bmc
// unwind: 10
void __VERIFIER_assert(int);
int main(void) {
    int s = 0;
    for (int i = 0; i < 10; i++) s++;
    __VERIFIER_assert(s == 10);
}
