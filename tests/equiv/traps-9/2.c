void exit(int);
void f(int x, int y) { exit(y == -1 ? -x : x / y); }
