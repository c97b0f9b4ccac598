// Signed and unsigned compared.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int x = -1;
    unsigned y = 1;
    __VERIFIER_assert(x > y);
}
