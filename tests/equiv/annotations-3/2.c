int f(int y, int x) { return x - y; }
