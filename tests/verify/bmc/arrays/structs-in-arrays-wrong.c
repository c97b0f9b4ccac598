// Structs in arrays, wrong.
// expect: unsafe 14
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
struct s {
    char c;
    short h[2];
    int i;
} a[3];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() & 1;
    a[i].h[j] = 9;
    __VERIFIER_assert(a[2].h[1] == 0);
}
