int f(int n) {
    int s = 0, i = 0;
again:
    if (i >= n || i == 7) return s;
    s++;
    i++;
    goto again;
}
