// expect: safe
void __VERIFIER_assert(int);
struct s {
    int b, c, a;
};
int get(struct s *p) { return p->b; }
int main(void) {
    struct s x = {2, 3, 1};
    __VERIFIER_assert(get(&x) == 2);
}
