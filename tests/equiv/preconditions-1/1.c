// expect: equivalent
// function: f
// pre: x >= 0
int f(int x) { return x / 2; }
