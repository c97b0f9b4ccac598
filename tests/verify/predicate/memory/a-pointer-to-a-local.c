// A pointer to a local.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
void set(int *p, int v) { *p = v; }
int main(void) {
    int x = 0;
    set(&x, 5);
    __VERIFIER_assert(x == 5);
}
