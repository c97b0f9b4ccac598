// expect: different
// function: f
int f(int x, int y) { return x / y > 3 ? 1 : 2; }
