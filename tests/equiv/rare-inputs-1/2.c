struct s {
    int a, b;
};
void f(struct s *s, int x) {
    s->a = x;
    if ((x ^ 0x5a5a5a5a) * 7 == 12345) s->b = 0;
}
