// A list from outside.
// expect: unsafe 14
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
struct s {
    struct s *next;
    int v;
};
extern struct s *get(void);
int main(void) {
    struct s *p = get();
    if (!p || !p->next || !p->next->next) return 0;
    __VERIFIER_assert(p->v != 1 || p->next->v != 2 || p->next->next->v != 3);
}
