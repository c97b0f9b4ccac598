// expect: equivalent
// function: f
int f(int x, int y) { return y != 0 && y != -1 ? x / y : 0; }
