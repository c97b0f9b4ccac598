int f(void) { return 45; }
