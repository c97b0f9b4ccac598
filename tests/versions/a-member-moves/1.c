// A member moves.
// expect: safe
// engine: bmc
// unwind: 4, auto
void __VERIFIER_assert(int);
struct s {
    int a, b;
};
int get(struct s *p) { return p->b; }
int main(void) {
    struct s x = {1, 2};
    __VERIFIER_assert(get(&x) == 2);
}
