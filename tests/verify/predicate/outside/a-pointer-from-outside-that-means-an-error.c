// A pointer from outside that means an error.
// expect: unsafe 9
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
extern int *get(void);
int main(void) {
    int *p = get();
    __VERIFIER_assert((unsigned long)p < -4095ul);
}
