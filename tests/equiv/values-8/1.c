// expect: different
// function: f
int f(short s) { return s >> 1; }
