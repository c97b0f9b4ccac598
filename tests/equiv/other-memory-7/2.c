void f(int *a, int n) {
    for (int i = 0; i < n - 1; i++) a[i] = 0;
}
