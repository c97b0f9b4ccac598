// expect: equivalent
// function: f
int f(int x, int y) { return x * x + y * y; }
