// expect: different
// function: f
static int h(int a, int b) { return a - b; }
int f(int x, int y) { return h(x, y); }
