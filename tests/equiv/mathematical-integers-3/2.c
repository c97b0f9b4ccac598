void f(int *a, int *b) {
    *b = 2;
    *a = 1;
}
