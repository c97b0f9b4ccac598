// A sum.
// expect: safe
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), s = 0;
    __VERIFIER_assume(n < 1000);
    for (unsigned i = 0; i < n; i++) s += 2;
    __VERIFIER_assert(s == 2 * n);
}
