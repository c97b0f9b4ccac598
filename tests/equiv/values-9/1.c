// expect: different
// function: f
int f(int x) { return x / 2; }
