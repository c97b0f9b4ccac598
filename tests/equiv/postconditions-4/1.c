// expect: different
// function: f
// integers: unbounded
// post: result$1 == result$2
int f(int x) { return x; }
