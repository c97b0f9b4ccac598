// A local array in a function called twice.
// expect: unsafe 12
// engine: predicate
void __VERIFIER_assert(int);
int f(int i, int v) {
    int a[2];
    if (v) a[i & 1] = v;
    return a[0];
}
int main(void) {
    f(0, 5);
    __VERIFIER_assert(f(1, 3) == 5);
}
