int f(int n) {
    int s = 5;
    for (int i = 0; i < n; i++) s += 2;
    return s;
}
