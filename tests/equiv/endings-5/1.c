// expect: different
// function: f
int f(int x, int y) {
    int q = x / y;
    return q - q;
}
