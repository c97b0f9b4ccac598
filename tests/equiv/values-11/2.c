long f(int x) { return x * 4; }
