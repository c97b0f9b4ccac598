// A ring from outside.
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
    if (!p || p->next == p || !p->next) return 0;
    __VERIFIER_assert(p->next->next != p || p->v != 5);
}
