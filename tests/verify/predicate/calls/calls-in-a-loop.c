// Calls in a loop.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int inc(int x) { return x + 1; }
int main(void) {
    int i = 0;
    while (i < 10) i = inc(i);
    __VERIFIER_assert(i == 10);
}
