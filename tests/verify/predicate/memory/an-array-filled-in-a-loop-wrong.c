// An array filled in a loop, wrong.
// expect: unsafe 8
// engine: predicate
void __VERIFIER_assert(int);
int a[5];
int main(void) {
    for (int i = 0; i < 4; i++) a[i] = i + 1;
    __VERIFIER_assert(a[4] != 0);
}
