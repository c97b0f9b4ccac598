static int square(int x) { return x * x; }
int f(int x, int y) { return square(x) + square(y); }
