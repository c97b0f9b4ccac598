int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (!(i & 1)) s += i;
    }
    return s;
}
