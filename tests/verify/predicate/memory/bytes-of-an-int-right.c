// Bytes of an int, right.
// expect: safe or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
int main(void) {
    int x = 0;
    unsigned char *p = (unsigned char *)&x;
    p[1] = 1;
    __VERIFIER_assert(x == 256);
}
