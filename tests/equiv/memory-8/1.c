// expect: equivalent
// function: f
int f(int x) {
    int a[3];
    a[0] = x;
    a[1] = a[0] + 1;
    a[2] = a[1] + 1;
    return a[2];
}
