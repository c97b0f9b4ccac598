int f(int i, int n, int d) {
    if (i < n) return i + 1;
    if (i == 2147483647 && d == 0) return 0;
    return i / d;
}
