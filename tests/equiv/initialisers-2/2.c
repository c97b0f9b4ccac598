const int k = 6;
int f(void) { return k; }
