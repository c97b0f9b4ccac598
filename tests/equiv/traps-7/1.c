// expect: different
// function: f
static int h(int x, int y) { return x / y; }
int f(int x, int y) { return h(x, y); }
