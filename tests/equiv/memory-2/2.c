void f(int *a, int n) {
    if (n > 1) {
        int v = a[0];
        for (int i = 1; i < n; i++) a[i] = v;
    }
}
