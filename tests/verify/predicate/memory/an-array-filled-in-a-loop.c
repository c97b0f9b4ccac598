// An array filled in a loop.
// expect: safe or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
int a[5];
int main(void) {
    for (int i = 0; i < 5; i++) a[i] = i;
    __VERIFIER_assert(a[3] == 3);
}
