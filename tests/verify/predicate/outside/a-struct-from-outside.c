// A struct from outside.
// expect: unsafe 14
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
struct s {
    int a;
    long b;
};
extern struct s *get(void);
int main(void) {
    struct s *p = get();
    if (!p) return 0;
    __VERIFIER_assert(p->a != 7 || p->b != 9);
}
