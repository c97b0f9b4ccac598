static int t[3] = {1, 9, 3};
int f(int x) { return t[x & 1]; }
