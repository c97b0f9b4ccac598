// expect: different
// function: f
int g(int);
int f(int x) { return g(x) + g(x); }
