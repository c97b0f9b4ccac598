// The content of the second new object.
// expect: unsafe 12
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
void *malloc(unsigned long);
extern int *get(void);
int main(void) {
    int *o = get(), *p = malloc(4), *q = malloc(4);
    if (!p || !q || !o) return 0;
    *p = 1;
    __VERIFIER_assert(*q != 77 || *o != 78);
}
