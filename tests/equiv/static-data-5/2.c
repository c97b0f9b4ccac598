struct s {
    char c;
    int n;
};
static struct s t[2] = {{1, 2}, {3, 5}};
int f(int x) {
    struct s *p = &t[x & 1];
    return p->n;
}
