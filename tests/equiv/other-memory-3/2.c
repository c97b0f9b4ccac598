void f(int *a, int *b) { *a += 2 * *b; }
