// expect: different or unknown
// function: f
static int h(int a) { return a + 1; }
static int k(int a) { return a; }
static int (*const t[2])(int) = {h, k};
int f(int i) { return t[i & 1](i); }
