// Sums of short numbers do not overflow.
// expect: safe
// check: overflow
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += (signed char)__VERIFIER_nondet_uchar();
    return sum == 42;
}
