// Nested.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int c = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) c++;
    __VERIFIER_assert(c <= 12);
}
