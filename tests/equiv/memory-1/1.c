// expect: equivalent
// function: f
void f(int *d, int *s, int n) {
    for (int i = 0; i < n; i++) d[i] = s[i];
}
