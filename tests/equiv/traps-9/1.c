// expect: different
// function: f
void exit(int);
void f(int x, int y) { exit(x / y); }
