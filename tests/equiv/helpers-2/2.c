static int digits(int x) {
    int r = 0;
    while (x > 0) {
        x /= 3;
        r++;
    }
    return r;
}
int f(int y) {
    int a = digits(y);
    return a + digits(y + 1);
}
