// expect: different
// function: f
void f(int *a, int *b) {
    *a = 1;
    *b = 2;
}
