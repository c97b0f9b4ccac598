static int sum(int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
static int t[3] = {1, 2, 4};
int f(void) { return sum(t, 3); }
