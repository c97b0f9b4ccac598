// expect: different
// function: f
int f(unsigned x, unsigned y) { return x - y > 0; }
