// Calls in a loop, wrong.
// expect: unsafe 9
// engine: predicate
void __VERIFIER_assert(int);
int inc(int x) { return x == 3 ? 5 : x + 1; }
int main(void) {
    int i = 0;
    while (i < 6) {
        __VERIFIER_assert(i != 5);
        i = inc(i);
    }
}
