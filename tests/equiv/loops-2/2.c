int f(int n) {
    int s = 0;
    int k = 0;
    while (k < n) {
        k++;
        s += 3;
    }
    return s;
}
