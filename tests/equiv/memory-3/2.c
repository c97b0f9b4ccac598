void f(int *a, int *b) {
    *b = 2;
    if (a != b) *a = 1;
}
