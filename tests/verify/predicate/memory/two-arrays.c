// Two arrays.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int a[2], b[2];
void set(int *p, int i, int v) { p[i & 1] = v; }
int main(void) {
    set(a, 0, 1);
    set(b, 0, 2);
    __VERIFIER_assert(a[0] == 1 && b[0] == 2);
}
