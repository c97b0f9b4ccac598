// expect: different
// function: f
static int t[3] = {1, 2, 3};
int f(int x) { return t[x & 1]; }
