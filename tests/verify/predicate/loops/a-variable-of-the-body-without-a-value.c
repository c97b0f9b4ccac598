// A variable of the body, without a value.
// expect: unsafe 12
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int bad = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        if (i == 0) x = 1;
        else if (x != 1) bad = 1;
    }
    __VERIFIER_assert(!bad);
}
