// Copies.
// expect: safe or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
int main(void) {
    int a[2] = {1, 2}, b[2];
    memcpy(b, a, sizeof a);
    a[0] = 9;
    __VERIFIER_assert(b[0] == 1);
}
