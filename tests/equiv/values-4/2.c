int f(unsigned x, unsigned y) { return x > y; }
