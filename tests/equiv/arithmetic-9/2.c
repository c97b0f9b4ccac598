int f(unsigned char c) { return 1; }
