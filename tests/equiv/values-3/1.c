// expect: different
// function: f
int f(int x) { return (long long)x + 1 > x; }
