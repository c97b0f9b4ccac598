// Regions that grow together.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int a, b;
void set(int *p) { *p = 1; }
int f(int *p) {
    b = 5;
    *p = 1;
    return b;
}
int main(void) {
    a = 2;
    int r = f(&a);
    __VERIFIER_assert(r == 5);
}
