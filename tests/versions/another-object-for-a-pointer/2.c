// expect: unsafe 10
void __VERIFIER_assert(int);
int f(int *p, int *q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    int a, b;
    __VERIFIER_assert(f(&a, &a) == 1);
    b = a;
}
