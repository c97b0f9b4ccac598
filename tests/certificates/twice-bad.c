int f(int n) {
    int t = 0;
    int k = 0;
    while (k < n) {
        t += k;
        t += 2;
        k++;
    }
    return t;
}
