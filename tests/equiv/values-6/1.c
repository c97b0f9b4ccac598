// expect: different
// function: f
int f(char c) { return c < 0; }
