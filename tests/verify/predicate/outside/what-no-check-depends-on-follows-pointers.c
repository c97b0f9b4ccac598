// What no check depends on follows pointers.
// expect: unsafe 17
// engine: predicate
// args: --unknown-functions pure
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
struct s {
    struct s *next;
    int v;
};
extern struct s *get(void);
int seen;
int main(void) {
    int x = __VERIFIER_nondet_int();
    struct s *p = get();
    if (p) seen = p->next->v;
    __VERIFIER_assert(!p || x != 3);
}
