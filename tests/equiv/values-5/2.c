int f(int x, unsigned n) { return x < (int)n; }
