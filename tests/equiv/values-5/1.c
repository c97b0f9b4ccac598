// expect: different
// function: f
int f(int x, unsigned n) { return x < n; }
