static int h(int b, int a) { return a - b; }
int f(int x, int y) { return h(x, y); }
