// Nested.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int c = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++) c++;
    __VERIFIER_assert(c == 15);
}
