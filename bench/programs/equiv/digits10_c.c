/* Paper 004, figure 7 (c): four digits a round. */
int f(int n) {
    int r = 1;
    int b = 1;
    int v = -1;
    while (b != 0) {
        if (n < 10) {
            v = r;
            b = 0;
        } else if (n < 100) {
            v = r + 1;
            b = 0;
        } else if (n < 1000) {
            v = r + 2;
            b = 0;
        } else if (n < 10000) {
            v = r + 3;
            b = 0;
        } else {
            n = n / 10000;
            r = r + 4;
        }
    }
    return v;
}
