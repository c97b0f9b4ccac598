// expect: different
// function: f
static int h(int a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += 10 / a;
    return s;
}
int f(int x, int n) { return h(x, n) * 0; }
