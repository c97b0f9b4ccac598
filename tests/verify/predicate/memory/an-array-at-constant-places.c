// An array at constant places.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int a[3];
    a[0] = 1;
    a[1] = 2;
    a[2] = a[0] + a[1];
    __VERIFIER_assert(a[2] == 3);
}
