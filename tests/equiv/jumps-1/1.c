// expect: equivalent
// function: f
int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i == 7) break;
        s++;
    }
    return s;
}
