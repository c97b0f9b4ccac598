// Unsigned does not wrap.
// expect: safe
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x < 4000000000u);
    __VERIFIER_assert(x + 1 > x);
}
