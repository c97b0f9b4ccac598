// expect: different
// function: f
// integers: unbounded
void f(int *a, int *b) {
    *a = 1;
    *b = 2;
}
