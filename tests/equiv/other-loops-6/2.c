int f(int n, int k) {
    int i;
    for (i = 0; i < n; i++)
        if (i == k) {
            i++;
            break;
        }
    return i;
}
