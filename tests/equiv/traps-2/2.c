int f(int x, int y) {
    if (y == -1 && x == -2147483647 - 1) return x;
    return x / y;
}
