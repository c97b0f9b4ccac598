// A struct copied at an unknown index.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
struct s {
    int a;
    char c;
} t[3] = {{1, 'a'}, {2, 'b'}, {3, 'c'}};
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3;
    struct s x = t[i], *p = &x;
    __VERIFIER_assert(p->c - 'a' == p->a - 1);
}
