int get(int);
int f(int x) { return 0; }
