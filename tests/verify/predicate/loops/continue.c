// Continue.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, odd = 0;
    while (i < 100) {
        i++;
        if (i & 1) continue;
        odd = i & 1;
    }
    __VERIFIER_assert(odd == 0);
}
