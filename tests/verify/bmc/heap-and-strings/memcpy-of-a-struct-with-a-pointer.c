// Memcpy of a struct with a pointer.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
struct s {
    int *p;
    int n;
};
int main(void) {
    int x = 1;
    struct s a = {&x, 2}, b;
    memcpy(&b, &a, sizeof a);
    *b.p = 7;
    __VERIFIER_assert(x == 7 && b.n == 2);
}
