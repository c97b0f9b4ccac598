// The content of new memory.
// expect: unsafe 10
// engine: predicate
void __VERIFIER_assert(int);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(8);
    if (!p) return 0;
    p[0] = 1;
    __VERIFIER_assert(p[1] != 77);
}
