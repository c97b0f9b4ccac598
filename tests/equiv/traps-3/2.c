int f(int x, int y) { return y == -1 ? 0 : x % y; }
