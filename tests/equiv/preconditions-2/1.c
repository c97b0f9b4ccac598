// expect: equivalent
// function: f
// pre: x % 2 == 0
int f(int x) { return x / 2; }
