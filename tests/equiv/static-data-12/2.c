static int u[3] = {3, 4, 5};
int f(int x) { return x & 1 ? u[1] : u[0]; }
