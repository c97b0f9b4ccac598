// expect: equivalent
// function: f
int f(int n, int m) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += j;
    return s;
}
