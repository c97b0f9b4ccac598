/* Two rounds of this loop are one round of the other. */
int f(int n) {
    int i = 0;
    int j = 0;
    while (i < n + n) {
        j++;
        i++;
    }
    return j;
}
