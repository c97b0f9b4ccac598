// expect: different
// function: f
int f(int i, int n, int d) {
    if (i < n) return i + 1;
    return i / d;
}
