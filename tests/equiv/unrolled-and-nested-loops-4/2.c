int f(int x) { return 4 * x; }
