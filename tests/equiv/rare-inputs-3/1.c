// expect: different
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned h = 0;
    for (int i = 0; i < 6; i++) h = h * 31 + (unsigned char)__VERIFIER_nondet_int();
    return h == 0;
}
