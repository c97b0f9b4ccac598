int count;

void fill(int *a, int n) {
    for (int i = 0; i < n; i++) {
        if (a[i] != 7)
            a[i] = a[i] + 1;
        count++;
    }
}
