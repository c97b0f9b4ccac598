/* The same sum, counted up and counted down. */
int f(int n) {
    int i = 0;
    int s = 0;
    while (i < n) {
        i++;
        s = s + i;
    }
    return s;
}
