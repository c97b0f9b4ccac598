// expect: different
// function: f
void f(int *a) {
    a[0] = 1;
    a[9] = 2;
}
