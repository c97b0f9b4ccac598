// expect: different or unknown
// function: f
static int n = 1;
int f(void) { return n; }
void set(int x) { n = x; }
