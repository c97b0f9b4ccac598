// expect: equivalent
// function: f
static const int table[4] = {2, 3, 5, 7};
int f(unsigned i) { return table[i & 3]; }
