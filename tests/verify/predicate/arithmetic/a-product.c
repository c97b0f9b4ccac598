// A product.
// expect: unsafe 9 or unknown
// engine: predicate
// timeout: 2
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_char(), y = __VERIFIER_nondet_char();
    __VERIFIER_assert(x * y != 77);
}
