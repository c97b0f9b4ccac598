// expect: different
// function: f
// pre: x < 100
int f(int x) { return x / 2; }
