// expect: different
// function: f
// integers: unbounded
// post: result$1 + 4 == result$2
int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += 2;
    return s;
}
