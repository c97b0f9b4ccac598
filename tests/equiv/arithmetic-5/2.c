int f(int x, int y) {
    if (y == 0 || y == -1) return 0;
    return x / y;
}
