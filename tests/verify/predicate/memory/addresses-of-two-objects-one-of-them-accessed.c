// Addresses of two objects, one of them accessed.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int a, b;
int same(int *p, int *q) { return p == q; }
int main(void) {
    b = same(&a, &b);
    __VERIFIER_assert(!b);
}
