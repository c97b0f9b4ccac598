// Do while, continue, break.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, odd = 0;
    do {
        i++;
        if (i % 2 == 0) continue;
        if (i > 8) break;
        odd++;
    } while (i < 100);
    __VERIFIER_assert(odd == 4 && i == 9);
}
