// expect: equivalent
// function: f
// post: result$1 + 1 == result$2
int f(int x) { return x; }
