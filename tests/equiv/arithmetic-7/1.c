// expect: equivalent
// function: f
long f(long *p) { return (long)(p + 1); }
