int f(int x) { return (int)(x + 1u) > x; }
