// A global array is zero.
// expect: safe
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int a[3];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 3);
    __VERIFIER_assert(a[i] == 0);
}
