// Promotion.
// expect: safe
// engine: predicate
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned char a = 255, b = __VERIFIER_nondet_uchar();
    __VERIFIER_assert(a + b >= 255);
    a += b;
    __VERIFIER_assert(a == (unsigned char)(b - 1));
}
