void exit(int);
int f(int x) { return x; }
