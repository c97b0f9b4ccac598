int f(int x, int y) {
    if (y == -1) return -x > 3 ? 1 : 2;
    return x / y > 3 ? 1 : 2;
}
