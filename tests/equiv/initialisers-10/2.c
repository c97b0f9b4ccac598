static int h(int a) { return a + 1; }
static int k(int a) { return a; }
static int (*const t[2])(int) = {k, h};
int f(int i) { return t[i & 1](i); }
