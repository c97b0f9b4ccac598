int f(int x) { return (x - 2) / 3; }
