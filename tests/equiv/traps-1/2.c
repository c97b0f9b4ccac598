int f(int x, int y) {
    if (y == -1) return -x;
    return x / y;
}
