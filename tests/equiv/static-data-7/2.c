static int n = 6;
int f(void) { return n++; }
