// expect: different or unknown
// function: f
static int n = 5;
int f(void) { return n++; }
