// expect: different
// function: f
static int h(int a) { return 10 / a; }
int f(int x) { return h(x) * 0; }
