static int n = 2;
int f(void) { return n; }
void set(int x) { n = x; }
