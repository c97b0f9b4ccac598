int g(int);
int f(int y) {
    int r = g(y);
    if (r <= 0) return 0;
    r = g(y + 1);
    return r;
}
