// A global and a local in memory of one name.
// expect: unsafe 12
// engine: predicate
void __VERIFIER_assert(int);
int x;
int *q = &x;
void set(int *p, int v) { *p = v; }
int main(void) {
    int x = 1;
    set(q, 5);
    set(&x, 2);
    __VERIFIER_assert(*q == 2);
}
