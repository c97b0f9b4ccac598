// An index from outside.
// expect: unsafe 14
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
struct s {
    unsigned head, q[16];
};
extern struct s *get(void);
int main(void) {
    struct s *p = get();
    if (!p || p->head % 7 != 3) return 0;
    p->q[p->head] = 5;
    __VERIFIER_assert(p->q[p->head] != 5);
}
