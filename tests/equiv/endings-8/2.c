void g(void);
int f(int x) {
    int r = 1 / x;
    g();
    return r;
}
