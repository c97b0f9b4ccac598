// Pointers from outside of two types.
// expect: unsafe 12
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
extern int *get(void);
extern char *text(void);
int main(void) {
    int *p = get();
    char *q = text();
    if (!p || !q) return 0;
    __VERIFIER_assert(*p != 1000 || *q != 'x');
}
