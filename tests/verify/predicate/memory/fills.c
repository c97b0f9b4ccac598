// Fills.
// expect: safe or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
void *memset(void *, int, unsigned long);
int main(void) {
    unsigned char a[4];
    memset(a, 7, 4);
    __VERIFIER_assert(a[3] == 7);
}
