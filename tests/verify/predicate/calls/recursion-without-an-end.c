// Recursion without an end.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int f(int n) { return f(n) + 1; }
int main(void) {
    f(0);
    __VERIFIER_assert(0);
}
