// expect: different or unknown
// function: f
const int k = 5;
int f(void) { return k; }
