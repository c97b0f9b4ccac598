int f(int n) {
    int i = n;
    int j = 0;
    while (i > 0) {
        j = j + 2;
        i = i - 1;
    }
    return j;
}
