// Pointers compared.
// expect: safe or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
int a, b;
int main(void) {
    int *p = &a, *q = &b;
    __VERIFIER_assert(p != q && p == &a);
}
