int g;
static int h(int a) {
    g = 0;
    return a;
}
int f(int x) { return h(x); }
