// expect: different
// function: f
struct s {
    int a, b;
};
void f(struct s *s, int x) { s->a = x; }
