unsigned f(unsigned n) { return n % 50 / 2; }
