// expect: different
// function: f
// integers: unbounded
int f(int x) { return x / 3; }
