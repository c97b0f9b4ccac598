// expect: different
// function: f
static int k = 5;
int f(void) { return k; }
