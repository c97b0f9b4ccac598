// Float is exact on small numbers.
// expect: safe
// engine: bmc
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_char();
    float f = x;
    __VERIFIER_assert((int)f == x && f + 0.5f > f);
}
