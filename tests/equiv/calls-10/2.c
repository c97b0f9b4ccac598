static int h(int a) {
    int r = 0;
    while (a > 1) {
        r += a;
        a--;
    }
    return r;
}
int f(int x) { return h(x) + h(x); }
