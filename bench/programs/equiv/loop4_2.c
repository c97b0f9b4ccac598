int f(int n) {
    int i = n;
    int s = 0;
    while (i > 0) {
        s = s + i;
        i--;
    }
    return s;
}
