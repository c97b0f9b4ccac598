// expect: equivalent
// function: f
int f(unsigned char c) { return c < 256; }
