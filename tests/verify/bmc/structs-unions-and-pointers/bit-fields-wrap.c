// Bit-fields wrap.
// expect: unsafe 12
// engine: bmc
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
struct b {
    unsigned a : 3;
    unsigned c : 5;
} b;
int main(void) {
    for (int n = __VERIFIER_nondet_uchar() & 15; n > 0; n--) b.a++;
    __VERIFIER_assert(b.a != 1 || b.c);
}
