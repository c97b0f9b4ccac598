// expect: different
// function: f
int f(int x) { return (signed char)x; }
