// A global from outside.
// expect: unsafe 11
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
int g, h;
extern int *get(void);
int main(void) {
    int *p = get();
    g = 1;
    if (p == &g) __VERIFIER_assert(h);
}
