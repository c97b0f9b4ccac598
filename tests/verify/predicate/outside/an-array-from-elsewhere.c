// An array from elsewhere.
// expect: unsafe 10
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
extern int a[10];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 10) return 0;
    __VERIFIER_assert(i < 3 || a[i] != 42);
}
