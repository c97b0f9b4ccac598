// expect: different
// function: f
// pre: x >= -1
int f(int x) { return x / 2; }
