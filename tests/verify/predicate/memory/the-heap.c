// The heap.
// expect: safe or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4), *q = malloc(4);
    if (!p || !q) return 0;
    *p = 1;
    *q = 2;
    __VERIFIER_assert(*p == 1);
}
