// expect: equivalent
// function: f
static int h(int x) {
    int r = 0;
    while (x > 0) {
        x /= 3;
        r++;
    }
    return r;
}
int f(int x) { return h(x) + h(x + 1); }
