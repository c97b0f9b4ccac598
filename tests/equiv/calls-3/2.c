int g(int);
int f(int x) { return 2 * g(x); }
