// expect: different
// function: f
void f(int *a, int *b) {
    *a += *b;
    *a += *b;
}
