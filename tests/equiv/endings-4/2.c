int f(int x, int y) { return y == 0 ? 0 : x / y; }
