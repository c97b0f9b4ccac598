// Bit-fields.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
struct b {
    unsigned a : 3;
    int s : 4;
    unsigned c : 9;
} b;
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    b.a = x;
    b.c = 300;
    b.s = -3;
    __VERIFIER_assert(b.a == (x & 7) && b.c == 300 && b.s == -3);
}
