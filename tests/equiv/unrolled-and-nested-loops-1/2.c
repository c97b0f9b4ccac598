int f(int n) {
    int s = 0, i = 0;
    while (i < n) {
        s += i;
        i++;
        if (i < n) {
            s += i;
            i++;
        }
    }
    return s;
}
