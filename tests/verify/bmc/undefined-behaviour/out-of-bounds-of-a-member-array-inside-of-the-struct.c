// Out of bounds of a member array, inside of the struct.
// expect: unsafe 14
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
struct s {
    int a[2];
    int b;
} x = {{0, 0}, 7};
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i <= 2);
    __VERIFIER_assert(x.a[i] == 0);
}
