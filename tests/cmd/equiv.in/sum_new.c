int sum(int n) {
    int total = 0;
    for (int k = 1; k <= n; k++)
        total += k;
    return total;
}
