// expect: equivalent
// function: f
static int t[2] = {3, 4};
int f(int x) { return t[x & 1]; }
