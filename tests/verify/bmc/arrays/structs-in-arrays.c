// Structs in arrays.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
struct s {
    char c;
    short h[2];
    int i;
} a[3];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3;
    a[i].h[1] = -2;
    a[i].c = 'x';
    __VERIFIER_assert(a[i].h[1] == -2 && a[i].h[0] == 0);
    __VERIFIER_assert(a[0].c + a[1].c + a[2].c == 'x');
}
