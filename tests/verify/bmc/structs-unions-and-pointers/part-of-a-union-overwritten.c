// Part of a union overwritten.
// expect: unsafe 14
// engine: bmc
signed char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);
union u {
    int i;
    char c;
};
int main(void) {
    union u u;
    u.i = 0x01020304;
    u.c = __VERIFIER_nondet_char();
    __VERIFIER_assert(u.i != 0x01020377);
}
