int f(int n) {
    if (n <= 0) return 0;
    if (n == 9) return 44;
    return n + f(n - 1);
}
