// A pointer of a pair that now overlap.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int f(int *p, int *q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    int x = 0, y = 0;
    __VERIFIER_assert(f(&x, &y) == 1);
}
