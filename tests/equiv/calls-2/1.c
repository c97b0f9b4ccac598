// expect: different
// function: f
void g(int);
void f(int x) {
    g(x);
    g(x + 1);
}
