int f(int n) {
    if (n == 5) {
        int i = 1;
        while (i > 0) i = 3 - i;
    }
    return n;
}
