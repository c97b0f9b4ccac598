double f(double x, double y) { return (x + y) * 2.0; }
