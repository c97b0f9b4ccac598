int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (s > 45) break;
        s += i;
    }
    return s;
}
