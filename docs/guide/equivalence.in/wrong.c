static int clamp(int x) {
    if (x >= 100)
        x = 99;
    return x < 0 ? 0 : x;
}

int sum(const int *a, int n) {
    int s = 0;
    while (n > 0) {
        s += clamp(*a);
        a++;
        n--;
    }
    return s;
}
