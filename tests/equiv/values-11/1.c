// expect: different
// function: f
long f(int x) { return (long)x * 4; }
