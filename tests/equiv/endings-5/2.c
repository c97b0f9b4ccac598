int f(int x, int y) { return 0 * (x + y); }
