void f(int *a) {
    a[0] = 1;
    a[9] = 3;
}
