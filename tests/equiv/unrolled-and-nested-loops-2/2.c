int f(int n, int m) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int t = 0;
        for (int j = 0; j < m; j++) t += j;
        s += t;
    }
    return s;
}
