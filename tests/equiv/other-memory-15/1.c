// expect: different
// function: f
const int t[4] = {1, 2, 3, 4};
int f(unsigned i) { return t[i & 3]; }
