int f(int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i] > 7 ? 7 : a[i];
    return s;
}
