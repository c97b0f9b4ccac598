// Union of int and bytes.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
union u {
    unsigned i;
    unsigned char b[4];
};
int main(void) {
    union u u;
    u.i = __VERIFIER_nondet_uint();
    __VERIFIER_assert((u.b[0] | u.b[1] << 8 | u.b[2] << 16 | (unsigned)u.b[3] << 24) == u.i);
}
