// Division.
// expect: safe
// engine: predicate
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_char();
    __VERIFIER_assert(x / 7 * 7 + x % 7 == x);
    __VERIFIER_assert(-7 / 2 == -3 && -7 % 2 == -1);
}
