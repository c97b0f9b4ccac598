static int h(int a, int b) { return b - a; }
int f(int x, int y) { return h(x, y); }
