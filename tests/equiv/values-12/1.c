// expect: different
// function: f
double f(double x) { return x + 0.0; }
