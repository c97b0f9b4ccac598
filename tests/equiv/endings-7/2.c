int f(int x, int n) { return 0; }
