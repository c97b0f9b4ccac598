// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
short g;
void low(void) {
    int q = g - 4;
    if (q > 0) g = g - q;
}
void high(void) {
    int q = 5 - g;
    if (q > 0) g = g + q;
}
int main(void) {
    g = __VERIFIER_nondet_int();
    low();
    __VERIFIER_assert(g <= 4);
    high();
    __VERIFIER_assert(g > 4);
}
