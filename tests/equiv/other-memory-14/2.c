static const int t[4] = {1, 2, 3, 4};
static const int u[4] = {1, 2, 3, 5};
int f(unsigned i) { return u[i & 3]; }
