// The heap, wrong.
// expect: unsafe 10 or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    if (!p) return 0;
    __VERIFIER_assert(*p == 1);
}
