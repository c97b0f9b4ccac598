// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
short g;
void high(void) {
    int q = 5 - g;
    if (q > 0) g = g + q;
}
int main(void) {
    g = __VERIFIER_nondet_int();
    high();
    __VERIFIER_assert(g >= 5);
}
