// expect: equivalent
// function: f
unsigned f(unsigned x) { return x - x / 8 * 8; }
