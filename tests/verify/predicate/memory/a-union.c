// A union.
// expect: safe or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
union u {
    int i;
    unsigned char c[4];
};
int main(void) {
    union u a;
    a.i = 0;
    a.c[0] = 3;
    __VERIFIER_assert(a.i == 3);
}
