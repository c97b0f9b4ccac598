// expect: different
// function: f
int g;
static int h(int a) {
    g = a;
    return a;
}
int f(int x) { return h(x); }
