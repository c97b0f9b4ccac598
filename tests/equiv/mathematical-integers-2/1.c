// expect: different
// function: f
// integers: unbounded
int f(int x, int y) { return x < y; }
