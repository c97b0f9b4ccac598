// Pointers from outside differ.
// expect: unsafe 12
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
extern int *get(void);
int main(void) {
    int *p = get(), *q = get();
    if (!p || !q) return 0;
    *p = 1;
    *q = 2;
    __VERIFIER_assert(*p == 2);
}
