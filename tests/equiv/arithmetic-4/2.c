int f(short s) { return s; }
