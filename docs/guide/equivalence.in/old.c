int clamp(int x) {
    if (x < 0)
        return 0;
    return x > 100 ? 100 : x;
}

int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += clamp(a[i]);
    return s;
}
