// Exchange.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
int main(void) {
    int x = 1, y = 2;
    swap(&x, &y);
    __VERIFIER_assert(x == 2 && y == 1);
}
