// Division rounds to zero.
// expect: safe
// engine: bmc
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_char();
    __VERIFIER_assert(x / 7 * 7 + x % 7 == x && x / -3 * -3 + x % -3 == x);
    __VERIFIER_assert(-7 / 2 == -3 && -7 % 2 == -1);
}
