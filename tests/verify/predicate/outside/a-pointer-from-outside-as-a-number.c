// A pointer from outside as a number.
// expect: unsafe 14
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
struct s {
    int a;
    int b;
};
extern unsigned long get(void);
int main(void) {
    struct s *p = (struct s *)get();
    if (!p) return 0;
    __VERIFIER_assert(p->b != 7);
}
