// expect: different
// function: f
static int k = 5;
int f(int x) { return x * k; }
