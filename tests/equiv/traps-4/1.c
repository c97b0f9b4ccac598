// expect: different
// function: f
long long f(long long x, long long y) { return x / y; }
