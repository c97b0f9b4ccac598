struct s {
    char c;
    int x;
    char d;
};
void f(struct s *p) {
    p->c = 1;
    p->d = 3;
}
