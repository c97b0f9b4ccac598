int g;
int f(int x) { return (g ^ x) * 5 == 77777 ? 1 : g + x; }
