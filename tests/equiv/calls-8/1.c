// expect: different
// function: f
typedef int (*op)(int);
static int h(int a) { return a + 1; }
int f(int x) {
    op p = h;
    return p(x);
}
