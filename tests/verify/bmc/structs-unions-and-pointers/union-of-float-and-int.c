// Union of float and int.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
union u {
    float f;
    unsigned i;
};
int main(void) {
    union u u;
    u.f = 1.0f;
    __VERIFIER_assert(u.i == 0x3f800000);
    u.i = 0xc0000000;
    __VERIFIER_assert(u.f == -2.0f);
}
