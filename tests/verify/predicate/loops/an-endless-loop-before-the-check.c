// An endless loop before the check.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int x = 0;
    while (1) x = 1 - x;
    __VERIFIER_assert(0);
}
