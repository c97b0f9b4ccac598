/* Paper 004, figure 7 (a): the number of decimal digits. */
int f(int n) {
    int r = 1;
    n = n / 10;
    while (n > 0) {
        r++;
        n = n / 10;
    }
    return r;
}
