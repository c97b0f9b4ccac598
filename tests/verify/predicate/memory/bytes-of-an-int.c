// Bytes of an int.
// expect: unsafe 10
// engine: predicate
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = 0;
    unsigned char *p = (unsigned char *)&x;
    p[1] = __VERIFIER_nondet_uchar();
    __VERIFIER_assert(x != 256);
}
