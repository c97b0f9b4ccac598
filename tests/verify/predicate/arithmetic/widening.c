// Widening.
// expect: safe
// engine: predicate
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
int main(void) {
    signed char c = __VERIFIER_nondet_char();
    long l = c;
    unsigned long u = c;
    __VERIFIER_assert((l < 0) == (u > 1000));
}
