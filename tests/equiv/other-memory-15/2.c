const int t[4] = {1, 2, 4, 4};
int f(unsigned i) { return t[i & 3]; }
