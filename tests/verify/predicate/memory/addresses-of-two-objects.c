// Addresses of two objects.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int a, b, *p = &a, *q = &b;
    __VERIFIER_assert(p != q);
}
