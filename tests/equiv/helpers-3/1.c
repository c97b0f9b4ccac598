// expect: equivalent
// function: f
int g(int);
int f(int x) {
    if (g(x) > 0) return g(x + 1);
    return 0;
}
