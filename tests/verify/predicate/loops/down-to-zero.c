// Down to zero.
// expect: safe
// engine: predicate
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    while (x > 0) x--;
    __VERIFIER_assert(x == 0);
}
