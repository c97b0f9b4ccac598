int f(int x) {
    if (x == 2) return 20;
    return x == 1 ? 10 : 0;
}
