// expect: equivalent
// function: f
double f(double x, double y) {
    double t = x + y;
    return t * 2.0;
}
