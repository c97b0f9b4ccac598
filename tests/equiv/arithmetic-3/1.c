// expect: equivalent
// function: f
int f(int x) { return (char)x; }
