// Back from a member.
// expect: unsafe 15
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
struct s {
    int a;
    int m;
};
extern int *get(void);
int main(void) {
    int *m = get();
    if (!m) return 0;
    struct s *p = (struct s *)((char *)m - sizeof(int));
    __VERIFIER_assert(p->a != 5 || *m != 6);
}
