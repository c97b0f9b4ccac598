// expect: different, endless
// function: f
int f(int n) { return n; }
