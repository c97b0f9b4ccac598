// expect: different
// function: f
void f(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 0;
}
