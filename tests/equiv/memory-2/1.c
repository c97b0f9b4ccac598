// expect: equivalent
// function: f
void f(int *a, int n) {
    for (int i = 0; i + 1 < n; i++) a[i + 1] = a[i];
}
