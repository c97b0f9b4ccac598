// Recursion with a check inside.
// expect: unsafe 6
// engine: predicate
void __VERIFIER_assert(int);
void f(int n) {
    __VERIFIER_assert(n != 4);
    if (n < 10) f(n + 1);
}
int main(void) { f(0); }
