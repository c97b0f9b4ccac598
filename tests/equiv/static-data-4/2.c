static int p(int x) { return x + 1; }
static int q(int x) { return x - 1; }
static int (*t[2])(int) = {q, p};
int f(int x) { return t[x & 1](x); }
