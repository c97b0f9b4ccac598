// A pointer from elsewhere.
// expect: unsafe 8
// engine: predicate
void __VERIFIER_assert(int);
extern int *p;
int main(void) {
    if (!p) return 0;
    __VERIFIER_assert(*p != 6);
}
