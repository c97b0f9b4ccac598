int f(int n, int c) {
    int s = 0;
    if (c) {
        for (int i = 0; i < n; i++) s += 2;
    } else {
        for (int i = 0; i < n; i++) s += 5;
    }
    return s;
}
