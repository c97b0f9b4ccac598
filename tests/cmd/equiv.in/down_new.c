int down(int n) {
    if (n == 0)
        return 0;
    return 2 + down(n - 2);
}
