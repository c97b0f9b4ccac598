// expect: different
// function: f
static int h(int a) {
    int r = 0;
    while (a > 0) {
        r += a;
        a--;
    }
    return r;
}
int f(int x) { return h(x) + h(x); }
