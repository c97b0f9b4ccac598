// expect: equivalent
// function: f
// integers: machine, unbounded
int f(int n, int c) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (c) s += 2;
        else s += 5;
    }
    return s;
}
