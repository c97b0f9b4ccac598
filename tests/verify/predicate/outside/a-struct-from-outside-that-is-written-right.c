// A struct from outside that is written, right.
// expect: safe
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
struct s {
    int a;
    int b;
};
extern struct s *get(void);
int main(void) {
    struct s *p = get();
    if (!p) return 0;
    int b = p->b;
    p->a = 3;
    __VERIFIER_assert(p->a + p->b == b + 3 || b > 100 || b < -100);
}
