// expect: equivalent
// function: f
int f(short s) { return (short)(s + 65536); }
