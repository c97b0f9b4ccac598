// A variable without a value.
// expect: unsafe 7
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int x;
    __VERIFIER_assert(x != 3);
}
