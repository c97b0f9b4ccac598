int g;
int f(int x) { return x; }
