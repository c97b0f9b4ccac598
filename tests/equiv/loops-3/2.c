int f(int n) {
    int i = 0;
    if (i < n) {
        do i++;
        while (i < n);
    }
    return i;
}
