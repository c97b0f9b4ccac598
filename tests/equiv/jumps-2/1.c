// expect: equivalent
// function: f
int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i & 1) continue;
        s += i;
    }
    return s;
}
