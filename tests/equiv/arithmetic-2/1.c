// expect: equivalent
// function: f
unsigned f(unsigned x) { return -x; }
